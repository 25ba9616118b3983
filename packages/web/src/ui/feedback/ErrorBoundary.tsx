import { Component, type ReactNode } from 'react'
import { Failed } from './Failed.tsx'

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
