import type { Line } from './receipt.ts'

/** What was chosen of a line, under its name: on the screen and on paper. */
export const Modifiers = ({ of }: { of: Line }) =>
  of.modifiers.map(({ id, name, count }) => (
    <small key={id}>
      {count > 1 && `${count} × `}
      {name}
    </small>
  ))
