import { Link } from 'wouter'
import classes from './PartLinks.module.css'

interface Props {
  label: string
  parts: readonly { href: string; text: string; isHere: boolean }[]
}

/** The links to the parts of a page. */
export function PartLinks({ label, parts }: Props) {
  return (
    <nav className={classes.parts} aria-label={label}>
      {parts.map(({ href, text, isHere }) => (
        <Link key={href} href={href} aria-current={isHere ? 'page' : undefined}>
          {text}
        </Link>
      ))}
    </nav>
  )
}
