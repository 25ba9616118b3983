import { ActionIcon, UnstyledButton } from '@mantine/core'
import type { Row } from '@saldo/client'
import { IconTrash } from '@tabler/icons-react'
import { useTranslation } from 'react-i18next'
import type { AbsenceRecord } from '../../ui/entries/parts.ts'
import { useEntryVerbs } from '../../ui/entries/useEntryVerbs.ts'
import { useFormat } from '../../ui/format/useFormat.ts'
import classes from './EntryRow.module.css'

export function AbsenceRow({ row: { record }, onEdit }: { row: Row<AbsenceRecord>; onEdit: () => void }) {
  const { t } = useTranslation()
  const format = useFormat()
  const { remove } = useEntryVerbs()
  return (
    <li className={classes.row}>
      <UnstyledButton className={classes.main} onClick={onEdit}>
        <span className={classes.times}>
          {record.day_share === 1
            ? t('entries.wholeDay')
            : t('entries.shareOfDay', { share: format.percent(record.day_share) })}
        </span>
        <span className={classes.what}>
          <span className={classes.project}>{t(`entries.kind.${record.kind}`)}</span>
          {record.note !== '' && <span className={classes.note}>{record.note}</span>}
        </span>
      </UnstyledButton>
      <span className={classes.actions}>
        <ActionIcon
          variant="subtle"
          color="gray"
          size={32}
          aria-label={t('ui.delete')}
          title={t('ui.delete')}
          onClick={() => void remove(record)}
        >
          <IconTrash size={18} stroke={1.75} aria-hidden />
        </ActionIcon>
      </span>
    </li>
  )
}
