import '@mantine/spotlight/styles.css'
import { createSpotlight, Spotlight, useSpotlight } from '@mantine/spotlight'
import { IconSearch } from '@tabler/icons-react'
import { useEffect } from 'react'
import { useTranslation } from 'react-i18next'
import { type Day, useDay } from '../../ui/entries/useDay.ts'
import { matching } from './commands.ts'
import { useCommands } from './useCommands.ts'

const [store, palette] = createSpotlight()

/** Any view and the main acts, found by a few letters. Opens whenever `asked` changes. */
export default function Palette({ asked }: { asked: number }) {
  const today = useDay(undefined)
  return today ? <Commands today={today} asked={asked} /> : null
}

function Commands({ today, asked }: { today: Day; asked: number }) {
  const { t } = useTranslation()
  const { query, selected } = useSpotlight(store)
  const groups = matching(useCommands(today), query)
  const label = t('palette.title')
  // biome-ignore lint/correctness/useExhaustiveDependencies: each time that it is asked for
  useEffect(() => palette.open(), [asked])
  return (
    <Spotlight.Root
      store={store}
      shortcut={null}
      scrollable
      overlayProps={{ backgroundOpacity: 0.4, blur: 0 }}
      maxHeight="min(28rem, 70vh)"
      attributes={{ content: { 'aria-label': label } }}
    >
      <Spotlight.Search
        leftSection={<IconSearch size={20} stroke={1.75} aria-hidden />}
        placeholder={t('palette.placeholder')}
        aria-label={label}
      />
      {/* The arrow keys leave the focus in the field. */}
      <p className="visually-hidden" role="status">
        {groups.flatMap(({ commands }) => commands)[selected]?.label}
      </p>
      <Spotlight.ActionsList>
        {groups.map((group) => (
          <Spotlight.ActionsGroup key={group.label} label={group.label}>
            {group.commands.map(({ id, label: name, icon: Icon, run }) => (
              <Spotlight.Action
                key={id}
                label={name}
                leftSection={<Icon size={20} stroke={1.75} aria-hidden />}
                onClick={run}
              />
            ))}
          </Spotlight.ActionsGroup>
        ))}
        {groups.length === 0 && <Spotlight.Empty>{t('palette.nothing')}</Spotlight.Empty>}
      </Spotlight.ActionsList>
    </Spotlight.Root>
  )
}
