import { Switch, TagsInput, Textarea } from '@mantine/core'
import { entryLimits } from '@saldo/core'
import { useTranslation } from '../../../i18n/translation.ts'
import { DateInput } from '../../../ui/DateInput.tsx'
import { useKnownNames, useSuggestedProjects } from '../known-names.ts'
import { ProjectInput } from '../ProjectInput.tsx'
import { SizeChoice } from '../SizeChoice.tsx'
import { type EntryFormProblem, type EntryValues, isTimedKind } from './entry-form.ts'
import { TimeFields } from './TimeFields.tsx'

interface Props {
  form: EntryValues
  /** True if a break inside the entry can be given. */
  hasBreak?: boolean
  /** True if the times are known, so that the project is next. */
  hasTimes?: boolean | undefined
  problem?: EntryFormProblem | undefined
  onChange: (changed: Partial<EntryValues>) => void
}

/** The fields of an entry except its kind. */
export function EntryFields({ form, hasBreak = false, hasTimes = false, problem, onChange }: Props) {
  const { t } = useTranslation()
  const projects = useSuggestedProjects()
  const { tags } = useKnownNames()
  return (
    <>
      {isTimedKind(form.kind) ? (
        <TimeFields form={form} hasBreak={hasBreak} isFirst={!hasTimes} problem={problem} onChange={onChange} />
      ) : (
        <>
          <DateInput
            label={t('entries.editor.date')}
            required
            error={problem === 'farDate' && t('entries.editor.problem.farDate')}
            value={form.date}
            onChange={(date) => onChange({ date })}
          />
          <SizeChoice value={form.size} onChange={(size) => onChange({ size })} />
        </>
      )}
      {form.kind === 'work' && (
        <>
          <ProjectInput
            label={t('entries.editor.project')}
            data-autofocus={hasTimes || undefined}
            projects={projects}
            value={form.project}
            onChange={(project) => onChange({ project })}
          />
          <Switch
            label={t('entries.editor.counts')}
            description={t('entries.editor.countsHelp')}
            checked={form.counts}
            onChange={(event) => onChange({ counts: event.currentTarget.checked })}
          />
        </>
      )}
      <TagsInput
        label={t('entries.editor.tags')}
        data={tags}
        maxTags={50}
        value={form.tags}
        onChange={(changed) => onChange({ tags: changed })}
      />
      <Textarea
        label={t('entries.editor.note')}
        autosize
        minRows={2}
        maxRows={8}
        maxLength={entryLimits.noteLength}
        value={form.note}
        onChange={(event) => onChange({ note: event.currentTarget.value })}
      />
    </>
  )
}
