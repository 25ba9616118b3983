import { Anchor, Button, Group, Pagination, Select, Text, TextInput } from '@mantine/core'
import { useDebouncedValue } from '@mantine/hooks'
import { useSaldo } from '@saldo/client/react'
import { userAccountsOf } from '@saldo/client/user-accounts'
import {
  type UserAccountFilter,
  type UserAccountOrder,
  type UserAccountRow,
  userAccountFilters,
  userAccountOrders,
} from '@saldo/core'
import { lazy, Suspense, useCallback, useMemo, useState } from 'react'
import { Link } from 'wouter'
import { useFormat } from '../../context/FormatProvider.tsx'
import { useTeam } from '../../domain/team/TeamProvider.tsx'
import { useTranslation } from '../../i18n/translation.ts'
import { useAct } from '../../ui/feedback/useAct.tsx'
import tables from '../../ui/table.module.css'
import { useResource } from '../../ui/useResource.ts'
import { ViewHeader } from '../../ui/ViewHeader.tsx'
import type { ConfirmedAct } from './ConfirmDialog.tsx'
import { FoundDialog } from './FoundDialog.tsx'
import type { CreatedLink } from './LinkDialog.tsx'
import { ThisServer } from './ServiceFacts.tsx'
import { saveUserAccounts } from './save-user-accounts.ts'
import { UserAccountLine } from './UserAccountLine.tsx'
import classes from './UserAccountsView.module.css'
import { pageCountOf, pageOf } from './user-accounts-model.ts'

const ConfirmDialog = lazy(() => import('./ConfirmDialog.tsx'))
const EditDialog = lazy(() => import('./EditDialog.tsx'))
const InviteDialog = lazy(() => import('./InviteDialog.tsx'))
const LinkDialog = lazy(() => import('./LinkDialog.tsx'))

const TYPING_MS = 250

type Opened =
  | { dialog: 'invite' }
  | { dialog: 'found' }
  | { dialog: 'confirm'; act: ConfirmedAct; account: UserAccountRow }
  | { dialog: 'edit'; account: UserAccountRow }
  | { dialog: 'link'; made: CreatedLink }

/** The accounts of the service, for its admins: invitations, links, roles, deactivation and erasure. */
export default function UserAccountsView() {
  const { t } = useTranslation()
  const format = useFormat()
  const { act } = useAct()
  const { team, isKnown } = useTeam()
  const { user } = useSaldo()
  const accounts = useMemo(() => userAccountsOf(user), [user])
  const [search, setSearch] = useState('')
  const [words] = useDebouncedValue(search, TYPING_MS)
  const [show, setShow] = useState<UserAccountFilter>('all')
  const [order, setOrder] = useState<UserAccountOrder>('name')
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
      <Anchor component={Link} href="/settings#accounts" size="sm">
        {t('userAccounts.back')}
      </Anchor>
      <ViewHeader title={t('userAccounts.title')} />
      <Text c="dimmed">{t('userAccounts.lead')}</Text>
      {isKnown && (
        <Group>
          <Text flex="1 1 16rem">
            {team ? t('userAccounts.company.of', { name: team.company.name }) : t('userAccounts.company.none')}
          </Text>
          {team ? (
            <Button component={Link} href="/team/company" variant="default">
              {t('userAccounts.company.open')}
            </Button>
          ) : (
            <Button variant="default" onClick={() => setOpened({ dialog: 'found' })}>
              {t('userAccounts.company.found')}
            </Button>
          )}
        </Group>
      )}
      <Group align="flex-end">
        <TextInput
          type="search"
          className={classes.search ?? ''}
          label={t('userAccounts.search')}
          value={search}
          onChange={(event) => {
            setSearch(event.currentTarget.value)
            setPage(1)
          }}
        />
        <Select
          label={t('userAccounts.show')}
          data={userAccountFilters.map((value) => ({ value, label: t(`userAccounts.filters.${value}`) }))}
          value={show}
          allowDeselect={false}
          onChange={(chosen) => {
            setShow(chosen as UserAccountFilter)
            setPage(1)
          }}
        />
        <Select
          label={t('userAccounts.order')}
          data={userAccountOrders.map((value) => ({ value, label: t(`userAccounts.orders.${value}`) }))}
          value={order}
          allowDeselect={false}
          onChange={(chosen) => setOrder(chosen as UserAccountOrder)}
        />
        <Button onClick={() => setOpened({ dialog: 'invite' })}>{t('userAccounts.invite')}</Button>
        <Button variant="default" onClick={() => void act(saveUserAccounts(accounts, { search: words, show, order }))}>
          {t('userAccounts.csv')}
        </Button>
      </Group>
      {failure && <Text role="alert">{failure}</Text>}
      {answer && (
        <>
          <Text role="status" c="dimmed">
            {t('userAccounts.found', { count: answer.count, number: format.number(answer.count) })}
          </Text>
          <table className={tables.figures} aria-label={t('userAccounts.title')}>
            <thead>
              <tr>
                <th scope="col">{t('userAccounts.person')}</th>
                <th scope="col" className={classes.state}>
                  {t('userAccounts.state')}
                </th>
                <th scope="col" className={classes.wide}>
                  {t('userAccounts.lastActive')}
                </th>
                <th scope="col" className={classes.wide}>
                  {t('userAccounts.sessions')}
                </th>
                <th scope="col" className={classes.wide}>
                  {t('userAccounts.size')}
                </th>
                <th scope="col">
                  <span className="visually-hidden">{t('userAccounts.actions')}</span>
                </th>
              </tr>
            </thead>
            <tbody>
              {answer.items.map((account) => (
                <UserAccountLine
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
              getControlProps={(control) => ({ 'aria-label': t(`userAccounts.pages.${control}`) })}
            />
          )}
        </>
      )}
      {service && <ThisServer service={service} />}
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
        {opened?.dialog === 'found' && <FoundDialog onClose={close} />}
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
