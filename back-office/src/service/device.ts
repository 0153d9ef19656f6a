import type { DeviceUse } from '../../../server/src/values/device-uses.ts'

// Whether this browser is a device is known to the server by a cookie that no script reads; that it may be one is remembered here.

const STORED = 'comptoir-device'

export interface DeviceHere {
  readonly device: { readonly id: string; readonly name: string; readonly use: DeviceUse }
  readonly brand: string
  readonly people: readonly { readonly id: number; readonly name: string; readonly approves: readonly string[] }[]
}

export const mayBeDevice = (): boolean => {
  try {
    return localStorage.getItem(STORED) === '1'
  } catch {
    return false
  }
}

export function rememberDevice(is: boolean): void {
  try {
    if (is) localStorage.setItem(STORED, '1')
    else localStorage.removeItem(STORED)
  } catch {
    // Then people sign in with their passwords here.
  }
}
