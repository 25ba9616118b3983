import { Button, Group, Modal, type ModalProps, Text } from '@mantine/core'
import { useMediaQuery } from '@mantine/hooks'
import { useCallback, useRef, useState } from 'react'
import { useTranslation } from '../i18n/translation.ts'
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
  const isUnsaved = useRef(false)
  const tell = useCallback((is: boolean) => {
    isUnsaved.current = is
  }, [])
  const leave = () => {
    if (isUnsaved.current) setAsking(true)
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
      <UnsavedContext value={tell}>{children}</UnsavedContext>
      {isAsking && <DiscardQuestion onKeep={() => setAsking(false)} onDiscard={onClose} />}
    </Modal>
  )
}

/** Asks before what was changed in a form goes. */
function DiscardQuestion({ onKeep, onDiscard }: { onKeep: () => void; onDiscard: () => void }) {
  const { t } = useTranslation()
  useFocusReturn()
  return (
    <Modal opened size="sm" withCloseButton={false} title={t('ui.unsaved.title')} onClose={onKeep}>
      <Text>{t('ui.unsaved.why')}</Text>
      <Group mt="lg" justify="flex-end">
        <Button variant="default" onClick={onDiscard}>
          {t('ui.unsaved.discard')}
        </Button>
        <Button data-autofocus onClick={onKeep}>
          {t('ui.unsaved.keep')}
        </Button>
      </Group>
    </Modal>
  )
}
