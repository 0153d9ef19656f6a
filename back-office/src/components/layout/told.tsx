import { Notifications } from '@mantine/notifications'

/** What the person is told, loaded with the first of it. */
export const Told = () => <Notifications position="top-center" />
