import '@mantine/spotlight/styles.css'
import { createSpotlight, Spotlight, useSpotlight } from '@mantine/spotlight'
import type { ZoneName } from '@saldo/core'
import { IconSearch } from '@tabler/icons-react'
import { lazy, type ReactNode, type RefObject, Suspense, useEffect, useId, useRef, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { useToday } from '../../domain/account/useToday.ts'
import { type Edited, editOf } from '../../domain/entries/editor/edited.ts'
import { type Day, useDay } from '../../domain/entries/useDay.ts'
import { matching, type PaletteView } from './commands.ts'
import classes from './Palette.module.css'
import { useCommands } from './useCommands.ts'
import { useFoundEntries } from './useFoundEntries.ts'

const EntryEditorModal = lazy(() => import('../../domain/entries/editor/EntryEditorModal.tsx'))

const [store, palette] = createSpotlight()

/** Any view, the main acts and entries, found by a few letters. Opens whenever `asked` changes. */
export default function Palette({ asked, views }: { asked: number; views: readonly PaletteView[] }) {
  const { t } = useTranslation()
  const today = useDay(useToday())
  /** Enter was pressed before there was anything to choose: it is meant for the first that comes. */
  const isEnterAhead = useRef(false)
  const [editing, setEditing] = useState<{ edited: Edited; zone: ZoneName }>()
  // biome-ignore lint/correctness/useExhaustiveDependencies: each time that it is asked for
  useEffect(() => palette.open(), [asked])
  return (
    <>
      <Spotlight.Root
        store={store}
        shortcut={null}
        centered={false}
        overlayProps={{ backgroundOpacity: 0.4, blur: 0 }}
        transitionProps={{ duration: 0 }}
        lockScroll={false}
        withinPortal={false}
        attributes={{ content: { 'aria-label': t('palette.title') } }}
      >
        {/* There from the first: the focus goes nowhere else afterwards, and letters would be shortcuts. */}
        <Spotlight.Search
          data-autofocus
          leftSection={<IconSearch size={20} stroke={1.75} aria-hidden />}
          placeholder={t('palette.placeholder')}
          aria-label={t('palette.title')}
          onKeyDown={({ key, nativeEvent }) => {
            isEnterAhead.current = key === 'Enter' && !nativeEvent.isComposing && !chosenOne()
          }}
        />
        {today && (
          <Choices
            today={today}
            views={views}
            isEnterAhead={isEnterAhead}
            onEdit={(record, zone) => setEditing({ edited: editOf(record), zone })}
          />
        )}
      </Spotlight.Root>
      {editing && (
        <Suspense>
          <EntryEditorModal {...editing} onDone={(next) => setEditing(next && { edited: next, zone: editing.zone })} />
        </Suspense>
      )}
    </>
  )
}

interface ChoicesProps {
  today: Day
  views: readonly PaletteView[]
  isEnterAhead: RefObject<boolean>
  onEdit: Parameters<typeof useFoundEntries>[2]
}

function Choices({ today, views, isEnterAhead, onEdit }: ChoicesProps) {
  const { t } = useTranslation()
  const { query, selected } = useSpotlight(store)
  const groups = [...matching(useCommands(today, views), query), ...useFoundEntries(query, today, onEdit)]
  const commands = groups.flatMap((group) => group.commands)
  const chosen = commands[selected]
  useFirstChosen(query !== '' && commands.length > 0, isEnterAhead)
  return (
    <>
      {/* The arrow keys leave the focus in the field. */}
      <p className="visually-hidden" role="status">
        {chosen && [chosen.label, chosen.detail].filter((part) => part !== undefined).join(', ')}
      </p>
      <List>
        {groups.map((group) => (
          <Spotlight.ActionsGroup key={group.label} label={group.label}>
            {group.commands.map(({ id, label, detail, icon: Icon, run }) => (
              <Spotlight.Action
                key={id}
                label={label}
                classNames={{ actionDescription: classes.detail ?? '' }}
                {...(detail !== undefined && { description: detail })}
                leftSection={<Icon size={20} stroke={1.75} aria-hidden />}
                onClick={run}
              />
            ))}
          </Spotlight.ActionsGroup>
        ))}
        {groups.length === 0 && <Spotlight.Empty>{t('palette.nothing')}</Spotlight.Empty>}
      </List>
    </>
  )
}

/** What the arrow keys go through. It scrolls as the browser does: Mantine's measures itself before it is seen. */
function List({ children }: { children: ReactNode }) {
  const id = useId()
  useEffect(() => store.updateState((state) => ({ ...state, listId: id })), [id])
  return (
    <div id={id} className={classes.list}>
      {children}
    </div>
  )
}

/**
 * Chooses the first command where none is: the palette does so as letters are typed, and commands and entries may
 * come later.
 */
function useFirstChosen(hasSome: boolean, isEnterAhead: RefObject<boolean>): void {
  useEffect(() => {
    if (!hasSome || chosenOne()) return
    list()?.querySelector('[data-action]')?.setAttribute('data-selected', 'true')
    store.updateState((state) => ({ ...state, selected: 0 }))
    if (isEnterAhead.current) chosenOne()?.click()
    isEnterAhead.current = false
  }, [hasSome, isEnterAhead])
}

function chosenOne(): HTMLElement | null | undefined {
  return list()?.querySelector<HTMLElement>('[data-selected]')
}

function list(): HTMLElement | null {
  return document.getElementById(store.getState().listId)
}
