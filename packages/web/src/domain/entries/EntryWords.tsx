import { type Entry, isCounted } from '@saldo/core'
import { useTranslation } from '../../i18n/translation.ts'
import classes from './EntryWords.module.css'

/**
 * The description of an entry: its kind, unless it is work with a description, its project, tags, a word if it does not
 * count, and its note.
 */
export function EntryWords({ record }: { record: Entry }) {
  const { t } = useTranslation()
  const { kind, project, tags, note } = record
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
      {!isCounted(record) && <span className={classes.tag}>{` ${t('entries.notCounted')}`}</span>}
      {note !== '' && <span className={classes.note}>{` ${note}`}</span>}
    </>
  )
}

/** The length of an entry, struck out if it is no part of a sum. `EntryWords` says why. */
export function EntryLength({ record, children }: { record: Entry; children: string }) {
  return isCounted(record) ? children : <s>{children}</s>
}
