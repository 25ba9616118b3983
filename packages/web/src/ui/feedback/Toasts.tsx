import { Notifications } from '@mantine/notifications'
import classes from './toast.module.css'

export default function Toasts() {
  return (
    <Notifications
      position="bottom-center"
      withinPortal={false}
      transitionDuration={0}
      className={classes.toasts ?? ''}
    />
  )
}
