import { Button, Code, CopyButton, Group, Stack, Text } from '@mantine/core'
import { useFormat } from '../../../context/FormatProvider.tsx'
import { useTranslation } from '../../../i18n/translation.ts'
import { Dialog } from '../../../ui/Dialog.tsx'
import classes from './CompanyView.module.css'
import { refusalKey } from './item-results.ts'
import { isRejected, type PreviewLine } from './people-list.ts'

interface Props {
  title: string
  lines: readonly PreviewLine[]
  onClose: () => void
}

/** People as they would be added, or what became of them; first those who are rejected. */
export function Preview({ lines, unread = [] }: { lines: readonly PreviewLine[]; unread?: readonly string[] }) {
  const { t } = useTranslation()
  const format = useFormat()
  const rejected = lines.filter(isRejected)
  const shown = [...rejected, ...lines.filter((line) => !isRejected(line))]
  return (
    <div role="status">
      <Text fw={600}>{t('team.add.found', { count: countRows(lines) })}</Text>
      {rejected.length > 0 && <Text>{t('team.add.rejected', { count: countRows(rejected) })}</Text>}
      {unread.length > 0 && <Text>{t('team.add.unread', { columns: format.list([...unread]) })}</Text>}
      <ul className={classes.preview}>
        {shown.map(({ person, problem, result }) => (
          <li
            key={`${person.row} ${person.email} ${person.group}`}
            className={problem || result?.outcome === 'rejected' ? classes.rejected : undefined}
          >
            {t(person.name === '' ? 'team.add.line' : 'team.add.named', { ...person })}{' '}
            {person.group !== '' && problem !== 'group' && `· ${person.group} · `}
            {problem
              ? t(`team.add.problem.${problem}`, { group: person.group })
              : result?.outcome === 'rejected'
                ? t(refusalKey(result))
                : result && t(`team.add.outcome.${result.outcome}`)}
          </li>
        ))}
      </ul>
    </div>
  )
}

/** Returns the number of lines of a list: one can name several people. */
function countRows(lines: readonly PreviewLine[]): number {
  return new Set(lines.map(({ person }) => person.row)).size
}

/** The links of invitations that were not mailed, to pass on, and who could not be added. */
export function PeopleOutcome({ title, lines, onClose }: Props) {
  const { t } = useTranslation()
  const links = lines.flatMap(({ person, result }) =>
    result?.link === undefined ? [] : [`${person.email} ${location.origin}${result.link}`],
  )
  const rejected = lines.filter(isRejected)
  return (
    <Dialog title={title} onClose={onClose} size="lg">
      <Stack>
        {rejected.length > 0 && <Preview lines={rejected} />}
        {links.length > 0 && (
          <>
            <Text>{t('team.add.links')}</Text>
            <Code block className={classes.links ?? ''}>
              {links.join('\n')}
            </Code>
          </>
        )}
        <Group justify="flex-end">
          <Button variant="default" onClick={onClose}>
            {t('ui.close')}
          </Button>
          {links.length > 0 && (
            <CopyButton value={links.join('\n')}>
              {({ copied, copy }) => <Button onClick={copy}>{t(copied ? 'team.add.copied' : 'team.add.copy')}</Button>}
            </CopyButton>
          )}
        </Group>
      </Stack>
    </Dialog>
  )
}
