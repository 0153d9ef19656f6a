import { part } from '../language.ts'

export const { thingTexts, settingTexts } = await part<typeof import('../en/office/things.ts')>('office/things')
