import type { CSSProperties } from 'react'
import classes from './ProjectName.module.css'

/** The name of a project behind a spot of its colour. */
export function ProjectName({ name, hue }: { name: string; hue: number | undefined }) {
  return (
    <span className={classes.name} style={projectColour(hue)}>
      {name}
    </span>
  )
}

/** Sets `--project-hue`, from which style sheets make the colour of a project for either theme. */
export function projectColour(hue: number | undefined): CSSProperties {
  return { '--project-hue': hue } as CSSProperties
}
