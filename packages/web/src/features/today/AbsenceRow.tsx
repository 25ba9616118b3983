import { UnstyledButton } from '@mantine/core'
import type { ShownRecord } from '@saldo/client'
import type { AbsenceRecord } from '@saldo/client/entries'
import { useTranslation } from 'react-i18next'
import { EntryWords } from '../../domain/entries/EntryWords.tsx'
import { useEntryVerbs } from '../../domain/entries/useEntryVerbs.ts'
import { useSizeText } from '../../domain/entries/useSizeText.ts'
import { IconAction } from '../../ui/IconAction.tsx'
import { IconTrash } from '../../ui/icons.ts'
import classes from './EntryRow.module.css'

export function AbsenceRow({ row: { record }, onEdit }: { row: ShownRecord<AbsenceRecord>; onEdit: () => void }) {
  const { t } = useTranslation()
  const { sizeText } = useSizeText()
  const { remove } = useEntryVerbs()
  return (
    <li className={classes.row}>
      <UnstyledButton className={classes.main} onClick={onEdit}>
        <span className={classes.times}>{sizeText(record)}</span>
        <span className={classes.what}>
          <EntryWords record={record} />
        </span>
      </UnstyledButton>
      <span className={classes.actions}>
        <IconAction Icon={IconTrash} label={t('ui.delete')} onClick={() => void remove(record)} />
      </span>
    </li>
  )
}
