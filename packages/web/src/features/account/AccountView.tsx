import { Anchor, Button } from '@mantine/core'
import type { Adjustment } from '@saldo/core'
import { lazy, Suspense } from 'react'
import { Link } from 'wouter'
import { ChangedProposals, OpenProposal } from '../../domain/account/limits/ProposalNotices.tsx'
import { LostClosingsNotice } from '../../domain/account/lost-closings/LostClosingsNotice.tsx'
import { OpenWeeksNotice } from '../../domain/account/open-weeks/OpenWeeksNotice.tsx'
import { useTranslation } from '../../i18n/translation.ts'
import { useAskedAct } from '../../ui/asked-act.ts'
import { IconPlus } from '../../ui/icons.ts'
import { useEditor } from '../../ui/useEditor.ts'
import { ViewHeader } from '../../ui/ViewHeader.tsx'
import classes from './AccountView.module.css'
import { BalanceHead } from './BalanceHead.tsx'
import type { EditedAdjustment } from './editor/useAdjustmentForm.ts'
import { LedgerTable } from './LedgerTable.tsx'
import { OutlookForm } from './OutlookForm.tsx'
import { type Account, useAccount } from './useAccount.ts'

const BalanceCurve = lazy(() => import('./curve/BalanceCurve.tsx'))
const AdjustmentDialog = lazy(() => import('./editor/AdjustmentDialog.tsx'))

/** Shows the balance, its history, its outlook and its ledger. */
export default function AccountView() {
  const { t } = useTranslation()
  const account = useAccount()
  const editor = useEditor<EditedAdjustment>()
  useAskedAct('adjust', () => editor.open({}))
  return (
    <div className={classes.view}>
      <ViewHeader title={t('account.title')}>
        <Button variant="light" leftSection={<IconPlus size={18} aria-hidden />} onClick={() => editor.open({})}>
          {t('account.adjust')}
        </Button>
      </ViewHeader>
      {account && <AccountBody account={account} onEdit={editor.open} />}
      {editor.shown && account && (
        <Suspense>
          <AdjustmentDialog
            key={editor.shown.key}
            edited={editor.shown.edited}
            account={account}
            onDone={editor.onDone}
          />
        </Suspense>
      )}
    </div>
  )
}

function AccountBody({ account, onEdit }: { account: Account; onEdit: (edited: EditedAdjustment) => void }) {
  const { t } = useTranslation()
  const { ledger, hasHours } = account
  const editAdjustment = (record: Adjustment) => onEdit({ record })
  return (
    <>
      <BalanceHead account={account} />
      <LostClosingsNotice />
      <OpenWeeksNotice />
      <OpenProposal />
      <ChangedProposals />
      {!hasHours && (
        <p className={classes.note}>
          {t('account.noHours')}{' '}
          <Anchor component={Link} underline="always" href="/schedule">
            {t('account.toSchedule')}
          </Anchor>
        </p>
      )}
      {ledger.curve.length > 1 && (
        <Suspense fallback={<div className={classes.curvePlace} />}>
          <BalanceCurve curve={ledger.curve} />
        </Suspense>
      )}
      {hasHours && <OutlookForm account={account} />}
      {ledger.future.length > 0 && (
        <LedgerTable
          title={t('account.future.title')}
          help={t('account.future.help')}
          lines={ledger.future}
          onEdit={editAdjustment}
        />
      )}
      <LedgerTable
        title={t('account.ledger.title')}
        help={ledger.lines.length === 0 ? t('account.ledger.empty') : undefined}
        lines={ledger.lines.toReversed()}
        onEdit={editAdjustment}
      />
    </>
  )
}
