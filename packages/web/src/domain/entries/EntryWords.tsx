import type { Entry } from '@saldo/core'
import { useTranslation } from 'react-i18next'
import classes from './EntryWords.module.css'

/** The description of an entry: its project (or its kind, if it has no description), tags and note. */
export function EntryWords({ record: { kind, project, tags, note } }: { record: Entry }) {
  const { t } = useTranslation()
  const saysMore = kind === 'work' && (tags.length > 0 || note !== '')
  const name = project ?? (saysMore ? '' : t(`entries.kind.${kind}`))
  return (
    <>
      {name !== '' && (
        <span className={classes.name} data-kind={kind}>
          {name}
        </span>
      )}
      {tags.map((tag) => (
        <span key={tag} className={classes.tag}>
          {` #${tag}`}
        </span>
      ))}
      {note !== '' && <span className={classes.note}>{` ${note}`}</span>}
    </>
  )
}
