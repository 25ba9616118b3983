import { Autocomplete, type AutocompleteProps } from '@mantine/core'
import { entryLimits } from '@saldo/core'
import { useTranslation } from '../../i18n/translation.ts'
import { useEmptyEnter } from '../../ui/useEmptyEnter.ts'
import { isNewProject, projectOptions } from './entries-model.ts'

interface Props extends Omit<AutocompleteProps, 'data' | 'value' | 'onChange'> {
  projects: readonly string[]
  value: string
  onChange: (project: string) => void
}

/**
 * A field for a project. The first project that fits is highlighted, so that Enter takes it instead of a new one with
 * the half of its name; a new project is offered as such.
 */
export function ProjectInput({ projects, value, ...props }: Props) {
  const { t } = useTranslation()
  const isNew = isNewProject(value, projects)
  return (
    <Autocomplete
      data={projectOptions(value, projects)}
      filter={({ options }) => options}
      selectFirstOptionOnChange={value.trim() !== ''}
      onKeyDownCapture={useEmptyEnter(value)}
      maxLength={entryLimits.projectLength}
      inputWrapperOrder={['label', 'input', 'description', 'error']}
      description={isNew && t('entries.newProject', { project: value.trim() })}
      renderOption={({ option }) =>
        isNewProject(option.value, projects) ? t('entries.newProject', { project: option.value }) : option.value
      }
      value={value}
      {...props}
    />
  )
}
