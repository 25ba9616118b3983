import { Stack, Text } from '@mantine/core'
import type { RequestToDecide } from '@saldo/core'
import { RecordComparison } from '../../../domain/records/RecordComparison.tsx'
import { type RecordField, withoutNote } from '../../../domain/records/record-fields.ts'
import { useRecordFields } from '../../../domain/records/useRecordFields.ts'
import { readWireChange } from '../../../domain/records/wire-change.ts'
import { useTranslation } from '../../../i18n/translation.ts'

interface Props extends Pick<RequestToDecide, 'present' | 'other_notes'> {
  changes: readonly unknown[]
  /** The title of the changed records. */
  title: string
}

/** Changes that are asked for or proposed, each beside the record as it is now (D27.11). Nobody reads its note. */
export function AskedChanges({ changes, present, other_notes, title }: Props) {
  return (
    <Stack gap="md">
      {changes.map((change, index) => (
        <AskedChange
          // biome-ignore lint/suspicious/noArrayIndexKey: the list never changes
          key={index}
          change={change}
          present={present[index] ?? null}
          hasOtherNote={other_notes[index] === true}
          title={title}
        />
      ))}
    </Stack>
  )
}

interface ChangeProps extends Pick<Props, 'title'> {
  change: unknown
  present: object | null
  hasOtherNote: boolean
}

function AskedChange({ change, present, hasOtherNote, title }: ChangeProps) {
  const { t } = useTranslation()
  const fieldsOf = useRecordFields()
  const read = readWireChange(change, present)
  if (!read) return <Text>{t('team.request.unreadable')}</Text>
  const { kind, content: record } = read
  const fields = (content: object | null): RecordField[] => withoutNote(fieldsOf(kind, content))
  return (
    <div>
      <Text fw={600}>{t(record ? `sync.changeOf.${kind}` : `sync.deletionOf.${kind}`)}</Text>
      <RecordComparison
        first={{ title: t(present ? 'team.request.now' : 'team.request.notYet'), fields: fields(present) }}
        second={{ title: record ? title : t('team.request.gone'), fields: fields(record) }}
      />
      {hasOtherNote && <Text c="dimmed">{t('team.request.otherNote')}</Text>}
    </div>
  )
}
