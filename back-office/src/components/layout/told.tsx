import { Notifications } from '@mantine/notifications'

/** Messages to the person, loaded with the first one. */
export const Told = () => <Notifications position="top-center" />
