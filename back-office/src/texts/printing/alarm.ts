import { part } from '../language.ts'

export const { alarmTexts } = await part<typeof import('../en/printing/alarm.ts')>('printing/alarm')
