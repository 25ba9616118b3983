import { Radio, Stack } from '@mantine/core'
import type { ImportAnswers, Question } from '@saldo/client/import'
import { useFormat } from '../../../context/FormatProvider.tsx'
import { useTranslation } from '../../../i18n/translation.ts'
import { SearchSelect } from '../../../ui/SearchSelect.tsx'

interface Props {
  questions: readonly Question[]
  answers: ImportAnswers
  onAnswer: (answers: Partial<ImportAnswers>) => void
}

/** Asks what the file leaves open. */
export function AnswerFields({ questions, answers, onAnswer }: Props) {
  return questions.map((question) => (
    <AnswerField key={question.about} question={question} answers={answers} onAnswer={onAnswer} />
  ))
}

function AnswerField({ question, answers, onAnswer }: Omit<Props, 'questions'> & { question: Question }) {
  const { t } = useTranslation()
  const format = useFormat()
  switch (question.about) {
    case 'user':
      return (
        <SearchSelect
          label={t('importExport.ask.user')}
          data={[...question.options]}
          value={answers.user ?? null}
          onChange={(user) => user !== null && onAnswer({ user })}
          allowDeselect={false}
          searchable={question.options.length > 8}
        />
      )
    case 'dateOrder':
      return (
        <Radio.Group
          label={t('importExport.ask.dateOrder')}
          value={answers.dateOrder ?? null}
          onChange={(order) => onAnswer({ dateOrder: order })}
        >
          <Stack gap="xs" mt="xs">
            <Radio value="dmy" label={format.date('2026-01-05', 'full')} />
            <Radio value="mdy" label={format.date('2026-05-01', 'full')} />
          </Stack>
        </Radio.Group>
      )
    case 'durationUnit':
    case 'breakUnit': {
      const { about, options } = question
      return (
        <Radio.Group
          label={t(`importExport.ask.${about}`)}
          value={answers[about] ?? null}
          onChange={(unit) => onAnswer({ [about]: unit })}
        >
          <Stack gap="xs" mt="xs">
            {options.map((unit) => (
              <Radio key={unit} value={unit} label={t(`importExport.ask.unit.${unit}`)} />
            ))}
          </Stack>
        </Radio.Group>
      )
    }
    case 'durations':
      return (
        <Radio.Group
          label={t('importExport.ask.durations')}
          description={t('importExport.ask.durationsWhy')}
          value={answers.durations ?? null}
          onChange={(durations) => onAnswer({ durations: durations })}
        >
          <Stack gap="xs" mt="xs">
            <Radio
              value="sequential"
              label={t('importExport.ask.sequential')}
              description={t('importExport.ask.sequentialWhy')}
            />
            <Radio value="as-is" label={t('importExport.ask.asIs')} description={t('importExport.ask.asIsWhy')} />
          </Stack>
        </Radio.Group>
      )
  }
}
