import type { Change } from '@saldo/client'
import { useTranslation } from 'react-i18next'
import classes from './SyncView.module.css'
import { useFacts } from './useFacts.ts'

/** An edit in one line: what it is of, and what it says. */
export function EditLine({ edit }: { edit: Change }) {
  const { t } = useTranslation()
  const facts = useFacts()(edit.kind, edit.content)
  return (
    <span className={classes.what}>
      <span className={classes.name}>
        {t(edit.content === null ? `sync.deletionOf.${edit.kind}` : `sync.changeOf.${edit.kind}`)}
      </span>{' '}
      <span className={classes.muted}>
        {facts.map(({ field, text }, index) => (index === 0 ? '' : field === 'sync.fact.end' ? ' – ' : ' · ') + text)}
      </span>
    </span>
  )
}
