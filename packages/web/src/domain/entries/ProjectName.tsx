import type { CSSProperties } from 'react'
import { hueOf } from './entries-model.ts'
import classes from './ProjectName.module.css'

/** The name of a project behind a spot of its colour. */
export function ProjectName({ name }: { name: string }) {
  return (
    <span className={classes.name} style={projectColour(name)}>
      {name}
    </span>
  )
}

/** Sets `--project-hue`, from which style sheets make the colour of a project for either theme. */
export function projectColour(name: string): CSSProperties {
  return { '--project-hue': hueOf(name) } as CSSProperties
}
