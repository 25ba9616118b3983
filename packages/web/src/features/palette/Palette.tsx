import { Modal, TextInput } from '@mantine/core'
import { type KeyboardEvent, useEffect, useId, useRef, useState } from 'react'
import { useToday } from '../../domain/account/TimelineProvider.tsx'
import { type Day, useDay } from '../../domain/entries/useDay.ts'
import { useTranslation } from '../../i18n/translation.ts'
import { useFocusReturn } from '../../ui/focus.ts'
import { IconSearch } from '../../ui/icons.ts'
import { useWayBack } from '../../ui/way-back.ts'
import classes from './Palette.module.css'
import { type Command, matching, type PaletteView } from './palette-model.ts'
import { type PaletteActs, useCommands, useQueryCommands } from './useCommands.ts'
import { useFoundEntries } from './useFoundEntries.ts'

interface Props {
  views: readonly PaletteView[]
  acts: PaletteActs
  onClose(): void
  onEdit: Parameters<typeof useFoundEntries>[2]
}

/** A dialog that finds views, commands and entries by a few letters. */
export default function Palette({ onClose, ...rest }: Props) {
  const { t } = useTranslation()
  const today = useDay(useToday())
  const listId = useId()
  const [query, setQuery] = useState('')
  /** The number of steps down from the first option; the list wraps around at its ends. */
  const [steps, setSteps] = useState(0)
  const [isEntered, setEntered] = useState(false)
  const [activeId, setActiveId] = useState<string>()
  useFocusReturn()
  useWayBack(onClose)
  const onKeyDown = (event: KeyboardEvent) => {
    if (event.nativeEvent.isComposing) return
    if (event.key === 'Enter') {
      // The choice can take the focus at once. There the same key would act again, and store a line unread.
      event.preventDefault()
      setEntered(true)
    }
    const step = { ArrowDown: 1, ArrowUp: -1 }[event.key]
    if (step === undefined) return
    event.preventDefault()
    setSteps(steps + step)
  }
  const search = (words: string) => {
    setQuery(words)
    setSteps(0)
    setEntered(false)
  }
  return (
    <Modal
      opened
      onClose={onClose}
      withCloseButton={false}
      centered={false}
      padding={0}
      transitionProps={{ duration: 0 }}
      lockScroll={false}
      attributes={{ content: { 'aria-label': t('palette.title') } }}
    >
      <TextInput
        autoFocus
        variant="unstyled"
        size="lg"
        leftSection={<IconSearch size={20} stroke={1.75} aria-hidden />}
        placeholder={t('palette.placeholder')}
        aria-label={t('palette.title')}
        autoComplete="off"
        role="combobox"
        aria-expanded
        aria-controls={listId}
        aria-activedescendant={activeId}
        value={query}
        onChange={(event) => search(event.currentTarget.value)}
        onKeyDown={onKeyDown}
      />
      <div id={listId} className={classes.list} role="listbox" aria-label={t('palette.title')}>
        {today && (
          <Choices
            {...rest}
            today={today}
            query={query}
            steps={steps}
            isEntered={isEntered}
            onActive={setActiveId}
            onChoose={(command) => {
              onClose()
              command.run()
            }}
          />
        )}
      </div>
    </Modal>
  )
}

interface ChoicesProps extends Omit<Props, 'onClose'> {
  today: Day
  query: string
  steps: number
  /** True if Enter chooses the active option, as soon as there is one. */
  isEntered: boolean
  onActive(id: string | undefined): void
  onChoose(command: Command): void
}

function Choices({ today, query, steps, isEntered, views, acts, onEdit, onActive, onChoose }: ChoicesProps) {
  const { t } = useTranslation()
  const known = matching(useCommands(today, views, acts), query)
  const groups = [...known, ...useQueryCommands(query, today), ...useFoundEntries(query, today, onEdit)]
  const commands = groups.flatMap((group) => group.commands)
  const active = commands.at(steps % commands.length)
  useEffect(() => onActive(active?.id), [active?.id, onActive])
  useEffect(() => {
    if (isEntered && active) onChoose(active)
  }, [isEntered, active, onChoose])
  if (!active) return <p className={classes.empty}>{t('palette.nothing')}</p>
  return groups.map(({ label, commands }) => (
    // biome-ignore lint/a11y/useSemanticElements: a group of options in a listbox
    <div key={label} role="group" aria-label={label}>
      <div className={classes.label} aria-hidden>
        {label}
      </div>
      {commands.map((command) => (
        <Option key={command.id} command={command} isActive={command === active} onChoose={onChoose} />
      ))}
    </div>
  ))
}

interface OptionProps {
  command: Command
  isActive: boolean
  onChoose(command: Command): void
}

function Option({ command, isActive, onChoose }: OptionProps) {
  const { id, label, detail, icon: Icon } = command
  const button = useRef<HTMLButtonElement>(null)
  useEffect(() => {
    if (isActive) button.current?.scrollIntoView({ block: 'nearest' })
  }, [isActive])
  return (
    <button
      ref={button}
      type="button"
      id={id}
      role="option"
      aria-selected={isActive}
      tabIndex={-1}
      className={classes.option}
      onClick={() => onChoose(command)}
    >
      <Icon size={20} stroke={1.75} aria-hidden />
      <span>
        {label}
        {detail !== undefined && <span className={classes.detail}>{detail}</span>}
      </span>
    </button>
  )
}
