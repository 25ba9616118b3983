import { Button, Group, Pagination, Select, Text, TextInput } from '@mantine/core'
import { useDebouncedValue } from '@mantine/hooks'
import { accountsOf } from '@saldo/client/accounts'
import { useSaldo } from '@saldo/client/react'
import { type AccountFilter, type AccountOrder, type AccountRow, accountFilters, accountOrders } from '@saldo/core'
import { lazy, Suspense, useCallback, useMemo, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { useFormat } from '../../context/FormatProvider.tsx'
import { useAct } from '../../ui/feedback/useAct.tsx'
import tables from '../../ui/table.module.css'
import { useResource } from '../../ui/useResource.ts'
import { ViewHeader } from '../../ui/ViewHeader.tsx'
import { AccountLine } from './AccountLine.tsx'
import classes from './AccountsView.module.css'
import { pageCountOf, pageOf } from './account-actions.ts'
import type { ConfirmedAct } from './ConfirmDialog.tsx'
import type { NewLink } from './LinkDialog.tsx'
import { ServiceFacts } from './ServiceFacts.tsx'
import { saveAccounts } from './save-accounts.ts'

const ConfirmDialog = lazy(() => import('./ConfirmDialog.tsx'))
const EditDialog = lazy(() => import('./EditDialog.tsx'))
const InviteDialog = lazy(() => import('./InviteDialog.tsx'))
const LinkDialog = lazy(() => import('./LinkDialog.tsx'))

const TYPING_MS = 250

type Opened =
  | { dialog: 'invite' }
  | { dialog: 'confirm'; act: ConfirmedAct; account: AccountRow }
  | { dialog: 'edit'; account: AccountRow }
  | { dialog: 'link'; made: NewLink }

/** The accounts of the service, for its admins: invitations, links, roles, deactivation and erasure. */
export default function AccountsView() {
  const { t } = useTranslation()
  const format = useFormat()
  const { act } = useAct()
  const { user } = useSaldo()
  const accounts = useMemo(() => accountsOf(user), [user])
  const [search, setSearch] = useState('')
  const [words] = useDebouncedValue(search, TYPING_MS)
  const [show, setShow] = useState<AccountFilter>('all')
  const [order, setOrder] = useState<AccountOrder>('name')
  const [page, setPage] = useState(1)
  const [opened, setOpened] = useState<Opened>()
  const { answer, failure, again } = useResource(
    useCallback(
      () => accounts.find({ search: words, show, order, ...pageOf(page) }),
      [accounts, words, show, order, page],
    ),
  )
  const { answer: service } = useResource(useCallback(() => accounts.service(), [accounts]))
  const pages = pageCountOf(answer?.count ?? 0)
  const close = () => setOpened(undefined)
  return (
    <div className={classes.view}>
      <ViewHeader title={t('accounts.title')} />
      <Text c="dimmed">{t('accounts.lead')}</Text>
      <Group align="flex-end">
        <TextInput
          type="search"
          className={classes.search ?? ''}
          label={t('accounts.search')}
          value={search}
          onChange={(event) => {
            setSearch(event.currentTarget.value)
            setPage(1)
          }}
        />
        <Select
          label={t('accounts.show')}
          data={accountFilters.map((value) => ({ value, label: t(`accounts.filters.${value}`) }))}
          value={show}
          allowDeselect={false}
          onChange={(chosen) => {
            setShow(chosen as AccountFilter)
            setPage(1)
          }}
        />
        <Select
          label={t('accounts.order')}
          data={accountOrders.map((value) => ({ value, label: t(`accounts.orders.${value}`) }))}
          value={order}
          allowDeselect={false}
          onChange={(chosen) => setOrder(chosen as AccountOrder)}
        />
        <Button onClick={() => setOpened({ dialog: 'invite' })}>{t('accounts.invite')}</Button>
        <Button variant="default" onClick={() => void act(saveAccounts(accounts, { search: words, show, order }))}>
          {t('accounts.csv')}
        </Button>
      </Group>
      {failure && <Text role="alert">{failure}</Text>}
      {answer && (
        <>
          <Text role="status" c="dimmed">
            {t('accounts.found', { count: answer.count, number: format.number(answer.count) })}
          </Text>
          <table className={tables.figures} aria-label={t('accounts.title')}>
            <thead>
              <tr>
                <th scope="col">{t('accounts.person')}</th>
                <th scope="col" className={classes.state}>
                  {t('accounts.state')}
                </th>
                <th scope="col" className={classes.wide}>
                  {t('accounts.lastActive')}
                </th>
                <th scope="col" className={classes.wide}>
                  {t('accounts.sessions')}
                </th>
                <th scope="col" className={classes.wide}>
                  {t('accounts.size')}
                </th>
                <th scope="col">
                  <span className="visually-hidden">{t('accounts.actions')}</span>
                </th>
              </tr>
            </thead>
            <tbody>
              {answer.items.map((account) => (
                <AccountLine
                  key={account.user_id}
                  account={account}
                  isOwn={account.user_id === user}
                  onEdit={() => setOpened({ dialog: 'edit', account })}
                  onConfirm={(act) => setOpened({ dialog: 'confirm', act, account })}
                />
              ))}
            </tbody>
          </table>
          {pages > 1 && (
            <Pagination
              total={pages}
              value={page}
              onChange={setPage}
              getControlProps={(control) => ({ 'aria-label': t(`accounts.pages.${control}`) })}
            />
          )}
        </>
      )}
      {service && <ServiceFacts service={service} />}
      <Suspense>
        {opened?.dialog === 'invite' && (
          <InviteDialog
            accounts={accounts}
            onInvited={(made) => {
              setOpened({ dialog: 'link', made })
              void again()
            }}
            onClose={close}
          />
        )}
        {opened?.dialog === 'link' && <LinkDialog made={opened.made} onClose={close} />}
        {opened?.dialog === 'edit' && (
          <EditDialog account={opened.account} accounts={accounts} onDone={again} onClose={close} />
        )}
        {opened?.dialog === 'confirm' && (
          <ConfirmDialog
            act={opened.act}
            account={opened.account}
            accounts={accounts}
            isMailOn={service?.mail.on === true}
            onLink={(link) => setOpened({ dialog: 'link', made: { account: opened.account, link } })}
            onDone={again}
            onClose={close}
          />
        )}
      </Suspense>
    </div>
  )
}
