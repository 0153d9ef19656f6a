import { Text } from '@mantine/core'
import type { ReactNode } from 'react'
import type { PriceList } from '../../../../server/src/resources/menu/price-lists.ts'
import type { Product } from '../../../../server/src/resources/menu/product-schema.ts'
import { dataTexts } from '../../texts/office/data.ts'
import { LOCALE } from '../../texts/texts.ts'
import { amount } from './data-cells.tsx'

// The nested parts of a product or a price list, shown as tables.

interface PartLine {
  key: string | number
  name: ReactNode
  detail?: ReactNode
  value?: ReactNode
  /** What is nested once more. */
  lines?: PartLine[]
}

type Section = [title: string, lines: PartLine[]]

const words = dataTexts.partsOf
const number = (value: number | undefined) => (value ?? 0).toLocaleString(LOCALE, { maximumFractionDigits: 4 })

export function Parts({ sections }: { sections: readonly Section[] }) {
  const filled = sections.filter(([, lines]) => lines.length > 0)
  return filled.map(([title, lines]) => (
    <section key={title} className="parts">
      <Text component="h3" fw={600} size="sm">
        {title}
      </Text>
      <PartLines lines={lines} />
    </section>
  ))
}

const PartLines = ({ lines }: { lines: PartLine[] }) => (
  <ul>
    {lines.map(({ key, name, detail, value, lines: nested = [] }) => (
      <li key={key}>
        <div className="part">
          <span>
            {name}
            {detail && <span className="quiet part-detail">{detail}</span>}
          </span>
          <span className="nowrap">{value}</span>
        </div>
        {nested.length > 0 && <PartLines lines={nested} />}
      </li>
    ))}
  </ul>
)

export const partsOfProduct = (product: Product): Section[] => [
  [
    words.modifications,
    (product.modifications ?? []).map(({ id, name, price, barcode }) => ({
      key: id,
      name,
      detail: barcode,
      value: amount(price),
    })),
  ],
  [
    words.modificator_groups,
    (product.modificator_groups ?? []).map(({ name, type, min_select, max_select, modificators = [] }, index) => ({
      key: index,
      name,
      detail: type === 1 ? dataTexts.oneChoice : dataTexts.choices(number(min_select), number(max_select)),
      lines: modificators.map((choice, at) => ({
        key: at,
        name: choice.name,
        detail: choice.ingredient?.name !== choice.name && choice.ingredient?.name,
        value: amount(choice.price),
      })),
    })),
  ],
  [words.recipe, (product.recipe ?? []).map(({ name, pivot }, index) => ({ key: index, name, value: pivot?.gross }))],
  [
    words.packages,
    (product.packages ?? []).map(({ name, equal }, index) => ({
      key: index,
      name,
      value: dataTexts.equal(number(equal)),
    })),
  ],
  [words.setting, timerLines(product.setting)],
  [
    words.taxes,
    (product.taxes ?? []).map(({ name, rate }, index) => ({
      key: index,
      name,
      value: dataTexts.percent(number(rate)),
    })),
  ],
  [words.tags, (product.tags ?? []).map(({ name }, index) => ({ key: index, name }))],
]

function timerLines(setting: Product['setting']): PartLine[] {
  if (!setting) return []
  const steps = (setting.prices ?? []).map(({ from, price }, index) => ({
    key: index,
    name: dataTexts.fromStep(number(from)),
    value: amount(price),
  }))
  return [{ key: 'interval', name: dataTexts.interval(number(setting.interval)), lines: steps }]
}

export const partsOfPriceList = ({ prices = [] }: PriceList): Section[] => [
  [
    words.prices,
    prices.map(({ id, price, product }) => ({
      key: id,
      name: product.type === 'MODIFICATION' ? (product.full_name ?? product.name) : product.name, // alone it says “small”
      detail: product.price !== undefined && product.price !== price && dataTexts.usual(amount(product.price)!),
      value: amount(price),
    })),
  ],
]
