/** T16: what a browser at a terminal is used for. Nothing is imported here: the pages bundle this file. */
export const DEVICE_USES = ['till', 'kitchen'] as const
export type DeviceUse = (typeof DEVICE_USES)[number]
