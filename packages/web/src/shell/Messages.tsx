import { Announcer, ToastPlace } from '../ui/feedback/messages.tsx'
import classes from './Messages.module.css'
import { UpdatePrompt } from './UpdatePrompt.tsx'

/** Messages of the app, stacked so that none covers another's buttons. */
export function Messages() {
  return (
    <div className={classes.messages}>
      <Announcer />
      <ToastPlace />
      <UpdatePrompt />
    </div>
  )
}
