import { notifications } from '@mantine/notifications'
import { texts } from '../texts/texts.ts'
import { sentence } from './refusal.tsx'

const closeButtonProps = { 'aria-label': texts.close }

/** Shows a short notification that something was done. */
export const tell = (message: string) => void notifications.show({ message, closeButtonProps })

/** Shows a failure of an action without a dialog; dialogs show their own failures. */
export const tellFailure = (error: Error) =>
  void notifications.show({ color: 'red', title: texts.errors.title, message: sentence(error), closeButtonProps })
