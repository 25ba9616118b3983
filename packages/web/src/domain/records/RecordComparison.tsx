import { useTranslation } from '../../i18n/translation.ts'
import classes from './RecordComparison.module.css'
import { type ComparedField, compareFields, type RecordField } from './record-fields.ts'

/** A version of a record: its title, and its fields for display. */
interface Version {
  title: string
  fields: readonly RecordField[]
}

/** Two versions of a record beside each other, field by field; those that differ stand out. */
export function RecordComparison({ first, second }: { first: Version; second: Version }) {
  return (
    <table className={classes.comparison}>
      <thead>
        <tr>
          <td />
          <th scope="col">{first.title}</th>
          <th scope="col">{second.title}</th>
        </tr>
      </thead>
      <tbody>
        {compareFields(first.fields, second.fields).map((field) => (
          <FieldRow key={field.name} field={field} />
        ))}
      </tbody>
    </table>
  )
}

function FieldRow({ field: { name, mine, theirs } }: { field: ComparedField }) {
  const { t } = useTranslation()
  return (
    <tr data-differs={mine !== theirs || undefined}>
      <th scope="row">
        {t(name)}
        {mine !== theirs && <span className="visually-hidden"> {t('sync.conflicts.differs')}</span>}
      </th>
      <td>{mine ?? '–'}</td>
      <td>{theirs ?? '–'}</td>
    </tr>
  )
}
