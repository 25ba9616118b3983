import { Modal, type ModalProps } from '@mantine/core'
import { useMediaQuery } from '@mantine/hooks'
import { useTranslation } from 'react-i18next'
import { useFocusReturn } from './focus.ts'

interface Props extends Pick<ModalProps, 'title' | 'onClose' | 'size' | 'classNames' | 'children'> {
  /** True for a form, which fills the screen of a phone. */
  isForm?: boolean
}

/** A modal dialog; the focus goes back to where it was when it closes. */
export function Dialog({ isForm = false, ...rest }: Props) {
  const { t } = useTranslation()
  useFocusReturn()
  const isPhone = useMediaQuery('(max-width: 36em)', undefined, { getInitialValueInEffect: false })
  const isWhole = isForm && isPhone === true
  return (
    <Modal
      opened
      fullScreen={isWhole}
      radius={isWhole ? 0 : 'lg'}
      closeButtonProps={{ 'aria-label': t('ui.close') }}
      {...rest}
    />
  )
}
