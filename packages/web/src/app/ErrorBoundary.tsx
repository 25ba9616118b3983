import { Component, type ReactNode } from 'react'
import { Failed } from './Failed.tsx'

interface Caught {
  error?: unknown
}

/** Shows what broke instead of the part of the page that did. Another `key` begins anew. */
export class ErrorBoundary extends Component<{ children: ReactNode }, Caught> {
  override state: Caught = {}

  static getDerivedStateFromError(error: unknown): Caught {
    return { error }
  }

  override render(): ReactNode {
    return 'error' in this.state ? <Failed error={this.state.error} /> : this.props.children
  }
}
