import { Button, Group, Text } from '@mantine/core'
import { closeExported } from '@saldo/client/import'
import { useLive, useSaldo } from '@saldo/client/react'
import type { IsoWeek, LocalDate, ProfilePatch } from '@saldo/core'
import { useMemo, useState } from 'react'
import { Link } from 'wouter'
import { useFormat } from '../../../context/FormatProvider.tsx'
import { addressWith } from '../../../domain/address.ts'
import { keepProfile } from '../../../domain/profile/sync-profile.ts'
import { useTranslation } from '../../../i18n/translation.ts'
import { ConfirmButton } from '../../../ui/ConfirmButton.tsx'
import { useAct } from '../../../ui/feedback/useAct.tsx'
import { useBusy } from '../../../ui/feedback/useAttempt.ts'
import { ImportExportPart } from '../Part.tsx'
import { closingOffer, emptyFieldsFrom } from './import-model.ts'
import type { Imported } from './useImport.ts'
import { useUndoImport } from './useUndoImport.ts'

/** Offers to fill the empty fields of the profile from an export. */
function FillProfile({ exported }: { exported: ProfilePatch }) {
  const { t } = useTranslation()
  const format = useFormat()
  const { userAccount, user } = useSaldo()
  const { act } = useAct()
  const { isBusy, run } = useBusy()
  const [isDone, setDone] = useState(false)
  const fill = async () => {
    const filling = userAccount.profile().then(async (own) => {
      keepProfile(user, await userAccount.changeProfile(emptyFieldsFrom(own, exported)))
    })
    setDone(await act(filling))
  }
  if (isDone) return <Text role="status">{t('importExport.profile.done')}</Text>
  return (
    <div>
      <Text mb="xs">
        {t('importExport.profile.why', {
          values: format.list(Object.values(exported).filter((value) => value !== undefined)),
        })}
      </Text>
      <Button variant="default" loading={isBusy} onClick={() => void run(fill)}>
        {t('importExport.profile.action')}
      </Button>
    </div>
  )
}

interface Props {
  imported: Imported
  onClose: () => void
}

/** Says what was imported, and offers to undo it. */
export function ImportDone({ imported, onClose }: Props) {
  const { t } = useTranslation()
  const format = useFormat()
  const undo = useUndoImport()
  const saldo = useSaldo()
  // Not the sync status, which may still be that from before the import.
  const unsent = useLive(useMemo(() => saldo.outbox.count(), [saldo]))
  const { name, added, total, first, last, reading } = imported
  const offer = closingOffer(reading)
  return (
    <ImportExportPart title={t(added < total ? 'importExport.done.cancelled' : 'importExport.done.title', { name })}>
      <div role="status">
        <Text>{t('importExport.done.added', { count: added, shown: format.number(added) })}</Text>
        {added < total && <Text>{t('importExport.done.rest')}</Text>}
      </div>
      {offer && <CloseAgain {...reading} offer={offer} isReady={unsent === 0} />}
      {Object.keys(reading.profile).length > 0 && <FillProfile exported={reading.profile} />}
      <Group gap="sm">
        <Button onClick={onClose}>{t('importExport.done.close')}</Button>
        {added > 0 && first !== null && last !== null && (
          <Button component={Link} href={addressWith('/search', { from: first, to: last })} variant="default">
            {t('importExport.done.show')}
          </Button>
        )}
        {reading.batch !== null && (
          <ConfirmButton
            label={t('importExport.undo.import')}
            of={name}
            question={t('importExport.undo.question', { count: added, shown: format.number(added) })}
            onConfirm={async () => {
              if (await undo(reading.batch as string)) onClose()
            }}
          />
        )}
      </Group>
      {/* Below the buttons, which do not move when it goes. */}
      <div role="status">
        {unsent !== undefined && unsent > 0 && (
          <Text c="dimmed">{t('importExport.done.unsent', { count: unsent, shown: format.number(unsent) })}</Text>
        )}
      </div>
    </ImportExportPart>
  )
}

/** Offers to close the weeks that were closed in an export of Saldo, once the service has its entries. */
function CloseAgain({
  closedWeeks,
  closedDays,
  offer,
  isReady,
}: {
  closedWeeks: readonly string[]
  closedDays: readonly string[]
  offer: NonNullable<ReturnType<typeof closingOffer>>
  isReady: boolean
}) {
  const { t } = useTranslation()
  const saldo = useSaldo()
  const { act } = useAct()
  const { isBusy, run } = useBusy()
  const [open, setOpen] = useState<number>()
  const close = async () => {
    const failed: { weeks: IsoWeek[]; days: LocalDate[] }[] = []
    if (await act(closeExported(saldo, { closedWeeks, closedDays }).then((left) => failed.push(left)))) {
      setOpen(failed.reduce((sum, { weeks, days }) => sum + weeks.length + days.length, 0))
    }
  }
  if (open !== undefined) {
    return (
      <Text role="status">
        {open === 0 ? t('importExport.close.done') : t('importExport.close.some', { count: open })}
      </Text>
    )
  }
  return (
    <div>
      <Text mb="xs">{t(offer.key, { count: offer.count })}</Text>
      <Button variant="default" disabled={!isReady} loading={isBusy} onClick={() => void run(close)}>
        {t('importExport.close.action')}
      </Button>
    </div>
  )
}
