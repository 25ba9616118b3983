import type { ReactNode } from 'react'
import { TitledSection } from '../../ui/TitledSection.tsx'
import classes from './ImportExportView.module.css'

/** A part of the view, with its heading. */
export function ImportExportPart(props: { title: string; lead?: string; children: ReactNode }) {
  return <TitledSection {...props} className={classes.part} />
}
