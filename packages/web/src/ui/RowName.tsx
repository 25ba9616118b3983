import classes from './rows.module.css'

/** The name of a row, with details below it. */
export function RowName({ name, details }: { name: string; details: string }) {
  return (
    <div className={classes.what}>
      <div className={classes.name}>{name}</div>
      <div className={classes.details}>{details}</div>
    </div>
  )
}
