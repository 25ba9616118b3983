import { Modal, type ModalProps } from '@mantine/core'
import { useMediaQuery } from '@mantine/hooks'
import { useTranslation } from 'react-i18next'

interface Props extends Pick<ModalProps, 'title' | 'onClose' | 'size' | 'classNames' | 'children'> {
  /** Whether it is a form, which on a phone takes the whole screen. */
  isForm?: boolean
}

/** What asks for an answer before anything else goes on. */
export function Dialog({ isForm = false, ...rest }: Props) {
  const { t } = useTranslation()
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
