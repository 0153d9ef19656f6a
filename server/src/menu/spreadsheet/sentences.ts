// M17: what can be wrong with a file, a row or a cell, by code. Sentences without their full stop; pages have them in each language.

type Value = string | number

export const SHEET_SENTENCES = {
  not_utf8: () => 'The file is not UTF-8: save it as “CSV UTF-8”',
  empty_file: () => 'The file is empty',
  too_many_rows: (most: Value) => `A file has at most ${most} rows`,
  after_quote: () => 'There is something between a closing quote and the next separator',
  open_quote: () => 'A quote that is opened here is never closed',
  unnamed_column: (position: Value) => `Column ${position} has no name in the first line`,
  unknown_column: (name: Value, known: Value) => `There is no column “${name}”: the columns are ${known}`,
  column_twice: () => 'There are two columns of this name',
  no_name_column: () => 'A file needs a column name, or a column id',
  too_many_columns: (columns: Value) => `A line has at most ${columns} cells`,
  too_many_cells: () => 'This line has more cells than the first line has columns',

  not_an_id: () => 'This is no id',
  name_missing: () => 'A row without an id needs a name',
  size_name_missing: () => 'This id is that of a size: its name is missing',
  same_as_line: (line: Value) => `Line ${line} is about the same`,
  no_product: (id: Value) => `There is no product ${id}`,
  not_sold: (id: Value, type: Value) => `Product ${id} is not on the menu: it is ${type}`,
  no_size: (id: Value) => `There is no size ${id}`,
  products_of_name: (count: Value) => `${count} products are called so: add their ids`,
  sizes_of_name: (count: Value) => `${count} sizes are called so: add their ids`,
  of_the_product: () => 'This belongs to the row of the product: leave it empty for a size',

  empty_cell: () => 'This cannot be empty',
  not_a_number: () => 'This is no number such as 8.50 or 8,50',
  two_numbers: (text: Value, one: Value, other: Value) => `“${text}” may mean two numbers: write ${one} or ${other}`,
  not_whole: () => 'This is no whole number',
  shortened: (text: Value) => `A spreadsheet has shortened this number to “${text}”: write all its digits, as text`,
  not_a_flag: () => 'This must be 1 or 0',
  not_one_of: (known: Value) => `This must be one of ${known}`,
  none_of: (text: Value, known: Value) => `“${text}” is none of ${known}`,
  fixed_type: () => 'A type cannot be changed',
  no_tax: (name: Value) => `There is no tax “${name}”`,
  no_station: (name: Value) => `There is no station “${name}”`,
  several_of_name: (count: Value, name: Value) => `${count} have the name “${name}”`,
  no_category: (name: Value) => `There is no category ${name}`,
  categories_of_name: (count: Value, path: Value) => `${count} categories are called “${path}”: write one as #id`,
  category_part_missing: () => 'A name between > is missing',
  cell_too_long: (most: Value) => `A cell has more than ${most} characters`,
  too_many_categories: (most: Value) => `A file makes at most ${most} categories`,
  category_too_deep: (levels: Value) => `A category has at most ${levels} levels`,
  /** What the schema of the row says; `rule` is the one that it breaks. */
  schema: (_rule: Value, said: Value) => String(said),
}

export type SheetCode = keyof typeof SHEET_SENTENCES
type ValuesOf<Code extends SheetCode> = Parameters<(typeof SHEET_SENTENCES)[Code]>
export type CellValues = readonly Value[]

/** What is wrong with a cell: its column and line are known where it is read. */
export class CellProblem extends Error {
  readonly code: SheetCode
  readonly values: CellValues

  constructor(code: SheetCode, values: CellValues) {
    super((SHEET_SENTENCES[code] as (...values: CellValues) => string)(...values))
    this.code = code
    this.values = values
  }
}

/** Makes a problem whose values are those of its sentence. */
export const cellProblem = <Code extends SheetCode>(code: Code, ...values: ValuesOf<Code>) =>
  new CellProblem(code, values)
