import { Select, Stack } from '@mantine/core'
import { absenceKinds, timedEntryKinds, type ZoneName } from '@saldo/core'
import { useState } from 'react'
import { useTranslation } from '../../../i18n/translation.ts'
import { Dialog } from '../../../ui/Dialog.tsx'
import { FormFooter } from '../../../ui/FormFooter.tsx'
import { useInvalidFocus } from '../../../ui/focus.ts'
import { closeAndSave, type OnDone } from '../../../ui/useEditor.ts'
import { useCheckedForm } from '../../../ui/useForm.ts'
import { useToday } from '../../account/TimelineProvider.tsx'
import { CorrectionFields } from '../../team/CorrectionFields.tsx'
import { useCorrections } from '../../team/corrections.ts'
import { useEntryActions } from '../useEntryActions.ts'
import { EntryEffects } from './EntryEffects.tsx'
import { EntryFields } from './EntryFields.tsx'
import { changesOfForm, type EditedEntry } from './edited-entry.ts'
import { doubtOf, type EntryFormProblem, type EntryValues, entryValuesOf } from './entry-form.ts'

function useEntryForm({ record, content }: EditedEntry, zone: ZoneName, onDone: OnDone<EditedEntry>) {
  const { t } = useTranslation()
  const actions = useEntryActions()
  const { form, problem, change, fail } = useCheckedForm<EntryValues, EntryFormProblem>(() =>
    entryValuesOf(content, zone),
  )

  const today = useToday()
  const corrections = useCorrections()
  const wanted = changesOfForm(form, { record, content }, zone)
  const locked = (wanted.ok && corrections?.lockedOf(wanted.changes)) || []
  const isLocked = locked.length > 0
  const [asking, setAsking] = useState('')
  /** The values about which the form has asked. */
  const [asked, setAsked] = useState<EntryValues>()
  const save = async () => {
    if (!wanted.ok) {
      fail(wanted.problem)
      return
    }
    const doubt = asked === form ? undefined : doubtOf(form, record && entryValuesOf(content, zone), today, zone)
    if (doubt) {
      setAsked(form)
      fail(doubt)
      return
    }
    const message = t(record ? 'entries.changed' : 'entries.added')
    const isSaved = async () =>
      (await actions.make(wanted.changes, message, isLocked ? { askedWith: asking } : {})) !== 'failed'
    await closeAndSave(onDone, isSaved, wanted.again)
  }
  return {
    form,
    problem,
    save,
    change,
    locked,
    asking,
    setAsking,
    remove:
      record &&
      (() => {
        onDone()
        void actions.remove(record)
      }),
  }
}

/** All kinds fit, in pixels. */
const KINDS_HEIGHT = 400

interface Props {
  edited: EditedEntry
  zone: ZoneName
  onDone: OnDone<EditedEntry>
}

/** A form with all fields of a new or stored entry. */
export default function EntryDialog(props: Props) {
  const { t } = useTranslation()
  const { edited, onDone } = props
  return (
    <Dialog isForm title={t(edited.record ? 'entries.editor.edit' : 'entries.editor.new')} onClose={() => onDone()}>
      <EntryForm {...props} />
    </Dialog>
  )
}

function EntryForm({ edited, zone, onDone }: Props) {
  const { t } = useTranslation()
  const { form, change, problem, save, remove, locked, asking, setAsking } = useEntryForm(edited, zone, onDone)
  const kinds = [timedEntryKinds, absenceKinds].map((items, index) => ({
    group: t(index === 0 ? 'entries.editor.timed' : 'entries.editor.absences'),
    items: items.map((kind) => ({ value: kind, label: t(`entries.kind.${kind}`) })),
  }))
  return (
    <form
      ref={useInvalidFocus(problem)}
      onSubmit={(event) => {
        event.preventDefault()
        void save()
      }}
    >
      <Stack>
        <Select
          label={t('entries.editor.kind')}
          description={form.kind === 'paid_other' && t('entries.paidOtherHelp')}
          maxDropdownHeight={KINDS_HEIGHT}
          data={kinds}
          value={form.kind}
          allowDeselect={false}
          onChange={(kind) => kind && change({ kind: kind })}
        />
        <EntryFields
          form={form}
          hasBreak={!edited.record}
          hasTimes={edited.hasTimes}
          problem={problem}
          onChange={change}
        />
        <EntryEffects form={form} edited={edited} zone={zone} />
        {locked.length > 0 && <CorrectionFields changes={locked} message={asking} onChange={setAsking} />}
        <FormFooter
          {...(locked.length > 0 && { action: t('sync.rejected.askCorrection') })}
          onDelete={remove}
          onCancel={() => onDone()}
        />
      </Stack>
    </form>
  )
}
