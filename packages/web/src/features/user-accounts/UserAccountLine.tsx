import { ActionIcon, Menu } from '@mantine/core'
import { epochMs, type UserAccountRow } from '@saldo/core'
import { useFormat } from '../../context/FormatProvider.tsx'
import { useTranslation } from '../../i18n/translation.ts'
import { IconDots } from '../../ui/icons.ts'
import type { ConfirmedAct } from './ConfirmDialog.tsx'
import classes from './UserAccountsView.module.css'
import { isUsable } from './user-accounts-model.ts'

const MEGABYTE = 1_000_000

interface Props {
  account: UserAccountRow
  isOwn: boolean
  /** Called for an act that is asked about first. */
  onConfirm: (act: ConfirmedAct) => void
  onEdit: () => void
}

/** An account with its state, and what an admin can do with it. */
export function UserAccountLine({ account, isOwn, onConfirm, onEdit }: Props) {
  const { t } = useTranslation()
  const format = useFormat()
  const { name, email, role, state, last_active_at, sessions, stored_bytes, erase_at, link_mail } = account
  const { second_factor, email_confirmed } = account
  const isActive = isUsable(account)
  const when = erase_at === null ? '' : format.dateTime(epochMs(erase_at))
  return (
    <tr>
      <th scope="row" className={classes.person}>
        <span className={classes.name}>{name || email}</span>
        {name !== '' && <span className={classes.email}>{email}</span>}
      </th>
      <td className={classes.state}>
        {t(`userAccounts.states.${state}`, { when })}
        {!email_confirmed && <span className={classes.email}>{t('userAccounts.unconfirmed')}</span>}
        {link_mail && <span className={classes.email}>{t(`userAccounts.mails.${link_mail}`)}</span>}
        {second_factor && <span className={classes.email}>{t('userAccounts.secondFactor')}</span>}
        {role === 'admin' && <span className={classes.email}>{t('userAccounts.admin')}</span>}
      </td>
      <td className={classes.wide}>
        {last_active_at === null ? t('userAccounts.never') : format.dateTime(epochMs(last_active_at))}
      </td>
      <td className={classes.wide}>{format.number(sessions)}</td>
      <td className={classes.wide}>{t('userAccounts.megabytes', { size: format.number(stored_bytes / MEGABYTE) })}</td>
      <td className={classes.actions}>
        <Menu position="bottom-end">
          <Menu.Target>
            <ActionIcon variant="subtle" color="gray" aria-label={t('userAccounts.actionsOf', { name: name || email })}>
              <IconDots size={18} aria-hidden />
            </ActionIcon>
          </Menu.Target>
          <Menu.Dropdown>
            {isActive && (
              <>
                <Menu.Item onClick={onEdit}>{t('userAccounts.edit')}</Menu.Item>
                {!email_confirmed && (
                  <Menu.Item onClick={() => onConfirm('confirmAddress')}>{t('userAccounts.confirmAddress')}</Menu.Item>
                )}
                <Menu.Item onClick={() => onConfirm(state === 'invited' ? 'inviteAgain' : 'reset')}>
                  {t(state === 'invited' ? 'userAccounts.inviteAgain' : 'userAccounts.reset')}
                </Menu.Item>
                <Menu.Item onClick={() => onConfirm(role === 'admin' ? 'makeUser' : 'makeAdmin')}>
                  {t(role === 'admin' ? 'userAccounts.makeUser' : 'userAccounts.makeAdmin')}
                </Menu.Item>
                <Menu.Item disabled={sessions === 0} onClick={() => onConfirm('endSessions')}>
                  {t('userAccounts.endSessions')}
                </Menu.Item>
                <Menu.Divider />
                <Menu.Item disabled={isOwn} onClick={() => onConfirm('deactivate')}>
                  {t('userAccounts.deactivate')}
                </Menu.Item>
              </>
            )}
            {!isActive && (
              <Menu.Item onClick={() => onConfirm(state === 'erasing' ? 'keep' : 'reactivate')}>
                {t(state === 'erasing' ? 'userAccounts.keep' : 'userAccounts.reactivate')}
              </Menu.Item>
            )}
            {state === 'invited' && (
              <Menu.Item onClick={() => onConfirm('withdraw')}>{t('userAccounts.withdraw')}</Menu.Item>
            )}
            {state !== 'erasing' && state !== 'invited' && (
              <Menu.Item color="red" disabled={isOwn} onClick={() => onConfirm('erase')}>
                {t('userAccounts.erase')}
              </Menu.Item>
            )}
          </Menu.Dropdown>
        </Menu>
      </td>
    </tr>
  )
}
