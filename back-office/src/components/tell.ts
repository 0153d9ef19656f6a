import { notifications } from '@mantine/notifications'
import { texts } from '../texts/texts.ts'
import { sentence } from './states.tsx'

/** What was done, said in passing. */
export const tell = (message: string) => void notifications.show({ message })

/** What could not be done and was not asked in a dialog, which would say so itself. */
export const tellFailure = (error: Error) =>
  void notifications.show({ color: 'red', title: texts.errors.title, message: sentence(error) })
