import { ToastPlace } from '../ui/feedback/toast.tsx'
import classes from './Messages.module.css'
import { UpdatePrompt } from './UpdatePrompt.tsx'

/** What the app has to say, one above the other: no message covers another's buttons. */
export function Messages() {
  return (
    <div className={classes.messages}>
      <ToastPlace />
      <UpdatePrompt />
    </div>
  )
}
