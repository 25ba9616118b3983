import { Button, Stack, Text, Title } from '@mantine/core'
import { Component, type ReactNode } from 'react'
import { useTranslation } from '../../i18n/translation.ts'
import { failureOf } from './failure.ts'

export function Failed({ error }: { error: unknown }) {
  const { t } = useTranslation()
  const { key, detail } = failureOf(error)
  return (
    <Stack role="alert" maw="32rem" mx="auto" p="xl" align="flex-start">
      <Title order={1}>{t('app.failed.title')}</Title>
      <Text>{t(key, { detail })}</Text>
      <Text c="dimmed">{t('app.failed.safe')}</Text>
      <Button onClick={() => location.reload()}>{t('app.failed.reload')}</Button>
    </Stack>
  )
}

interface Props {
  /** The address. After a change of it, the children render again. */
  place?: string
  children: ReactNode
}

interface State {
  caught: { error: unknown } | undefined
}

/** Shows what broke instead of the part of the page that did. */
export class ErrorBoundary extends Component<Props, State> {
  override state: State = { caught: undefined }

  static getDerivedStateFromError(error: unknown): State {
    return { caught: { error } }
  }

  override componentDidUpdate({ place }: Props): void {
    if (this.state.caught && place !== this.props.place) this.setState({ caught: undefined })
  }

  override render(): ReactNode {
    const { caught } = this.state
    return caught ? <Failed error={caught.error} /> : this.props.children
  }
}
