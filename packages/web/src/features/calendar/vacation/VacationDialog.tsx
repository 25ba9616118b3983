import { Button, Text } from '@mantine/core'
import { useEntries } from '@saldo/client/react'
import type { VacationYear } from '@saldo/core'
import { useFormat } from '../../../context/FormatProvider.tsx'
import { useTimeline } from '../../../domain/account/TimelineProvider.tsx'
import { useTranslation } from '../../../i18n/translation.ts'
import { Dialog } from '../../../ui/Dialog.tsx'
import { IconAction } from '../../../ui/IconAction.tsx'
import { IconPencil, IconPlus } from '../../../ui/icons.ts'
import tables from '../../../ui/table.module.css'
import { useEditor } from '../../../ui/useEditor.ts'
import { datesOfPeriod } from '../period.ts'
import { GrantForm } from './GrantForm.tsx'
import classes from './VacationAccount.module.css'
import { type EditedGrant, grantOfLine, twelfthsOf } from './vacation-model.ts'

interface Props {
  account: VacationYear
  onDone: () => void
}

/** Shows the ledger of a year's vacation, and adds and edits granted days. */
export default function VacationDialog({ account, onDone }: Props) {
  const { t } = useTranslation()
  const { shown, open, onDone: onEdited } = useEditor<EditedGrant>()
  const title = shown
    ? t('calendar.vacation.grant.title')
    : t('calendar.vacation.title', { year: String(account.year) })
  return (
    <Dialog isForm title={title} onClose={onDone}>
      {shown ? (
        <GrantForm key={shown.key} edited={shown.edited} year={account.year} onDone={onEdited} />
      ) : (
        <Ledger account={account} onEdit={open} />
      )}
    </Dialog>
  )
}

function Ledger({ account, onEdit }: { account: VacationYear; onEdit: (grant: EditedGrant) => void }) {
  const { t } = useTranslation()
  const format = useFormat()
  const { timeline } = useTimeline()
  const { from, to } = datesOfPeriod({ year: account.year, month: undefined })
  const rows = useEntries({ from, to }) ?? []
  return (
    <div className={classes.account}>
      <Text size="sm" c="dimmed">
        {t('calendar.vacation.lead')}
      </Text>
      <table className={tables.figures} aria-label={t('calendar.vacation.title', { year: String(account.year) })}>
        <tbody>
          {account.lines.map((line) => {
            const grant = grantOfLine(line, rows)
            const twelfths = twelfthsOf(line, timeline)
            const note = twelfths
              ? t('calendar.vacation.twelfths', { days: format.number(twelfths.daysPerYear), months: twelfths.months })
              : grant?.note
            return (
              <tr key={`${line.kind} ${line.date} ${line.entry_ids[0] ?? ''}`}>
                <th scope="row">
                  {format.date(line.date, 'short')} · {t(`calendar.vacation.part.${line.kind}`)}
                  {note && (
                    <Text span size="sm" c="dimmed" display="block">
                      {note}
                    </Text>
                  )}
                </th>
                <td>{format.signed(line.days)}</td>
                <td className={classes.action}>
                  {grant && (
                    <IconAction
                      Icon={IconPencil}
                      label={t('calendar.vacation.grant.edit', { date: format.date(line.date, 'short') })}
                      title={t('calendar.vacation.grant.edit', { date: format.date(line.date, 'short') })}
                      onClick={() => onEdit({ record: grant })}
                    />
                  )}
                </td>
              </tr>
            )
          })}
        </tbody>
        <tfoot>
          <tr>
            <th scope="row">{t('calendar.vacation.left')}</th>
            <td>{format.number(account.left)}</td>
            <td className={classes.action} />
          </tr>
        </tfoot>
      </table>
      <Button variant="default" leftSection={<IconPlus size={18} aria-hidden />} onClick={() => onEdit({})}>
        {t('calendar.vacation.grant.title')}
      </Button>
    </div>
  )
}
