import type { Entry } from '@saldo/core'
import { useTranslation } from 'react-i18next'
import classes from './EntryWords.module.css'

/** The description of an entry: its kind, unless it is work with a description, its project, tags and note. */
export function EntryWords({ record: { kind, project, tags, note } }: { record: Entry }) {
  const { t } = useTranslation()
  const saysMore = kind === 'work' && (project !== null || tags.length > 0 || note !== '')
  return (
    <>
      {!saysMore && (
        <span className={classes.name} data-kind={kind}>
          {t(`entries.kind.${kind}`)}
        </span>
      )}
      {project !== null && <span className={classes.name}>{saysMore ? project : ` ${project}`}</span>}
      {tags.map((tag) => (
        <span key={tag} className={classes.tag}>
          {` #${tag}`}
        </span>
      ))}
      {note !== '' && <span className={classes.note}>{` ${note}`}</span>}
    </>
  )
}
