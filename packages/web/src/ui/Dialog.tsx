import { Modal, type ModalProps } from '@mantine/core'
import { useMediaQuery } from '@mantine/hooks'
import { useCallback, useRef, useState } from 'react'
import { useTranslation } from '../i18n/translation.ts'
import { DiscardQuestion } from './DiscardQuestion.tsx'
import { useFocusReturn } from './focus.ts'
import { UnsavedContext } from './unsaved.ts'
import { useWayBack } from './way-back.ts'

interface Props extends Pick<ModalProps, 'title' | 'onClose' | 'size' | 'classNames' | 'children'> {
  /** True for a form, which fills the screen of a phone. */
  isForm?: boolean
}

/**
 * A modal dialog; the focus goes back to where it was when it closes. Esc, a click beside it and the way back of the
 * browser close it, after a question if a form in it has changes.
 */
export function Dialog({ isForm = false, onClose, children, ...rest }: Props) {
  const { t } = useTranslation()
  useFocusReturn()
  const isPhone = useMediaQuery('(max-width: 36em)', undefined, { getInitialValueInEffect: false })
  const isWhole = isForm && isPhone === true
  const [isAsking, setAsking] = useState(false)
  const unsavedForms = useRef(0)
  const beginUnsaved = useCallback(() => {
    unsavedForms.current += 1
    return () => {
      unsavedForms.current -= 1
    }
  }, [])
  const leave = () => {
    if (unsavedForms.current > 0) setAsking(true)
    else onClose()
  }
  useWayBack(isAsking ? () => setAsking(false) : leave)
  return (
    <Modal
      opened
      fullScreen={isWhole}
      radius={isWhole ? 0 : 'lg'}
      closeButtonProps={{ 'aria-label': t('ui.close') }}
      closeOnEscape={!isAsking}
      trapFocus={!isAsking}
      onClose={leave}
      {...rest}
    >
      <UnsavedContext value={beginUnsaved}>{children}</UnsavedContext>
      {isAsking && <DiscardQuestion onKeep={() => setAsking(false)} onDiscard={onClose} />}
    </Modal>
  )
}
