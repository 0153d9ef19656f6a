/** The parts of a product's page: what every dish has, and what stands behind More. */
export const FIRST = ['basics', 'prices', 'sizes', 'choices', 'recipe'] as const
export const MORE = ['languages', 'allergens', 'pictures', 'details', 'history'] as const
export type Tab = (typeof FIRST)[number] | (typeof MORE)[number]
export const isTab = (tab: unknown): tab is Tab => [...FIRST, ...MORE].some((each) => each === tab)
