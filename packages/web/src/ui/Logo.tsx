import classes from './Logo.module.css'

/** The word and the ring: the product's name is the same in every language. */
export function Logo() {
  return (
    <span className={classes.logo}>
      <img src="/icon.svg" alt="" width={28} height={28} />
      <span translate="no">{PRODUCT}</span>
    </span>
  )
}

const PRODUCT = 'Saldo'
