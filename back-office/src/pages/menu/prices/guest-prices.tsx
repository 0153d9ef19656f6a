import '../menu.css'
import { NativeSelect, TextInput } from '@mantine/core'
import { keepPreviousData, useQuery } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import { useState } from 'react'
import type { GuestPrices as Shown } from '../../../../../server/src/back-office/menu/prices.ts'
import { amount } from '../../../components/data/data-cells.tsx'
import { type Column, Rows } from '../../../components/data/rows.tsx'
import { Page } from '../../../components/layout/page.tsx'
import { Loaded } from '../../../components/layout/states.tsx'
import { plain } from '../../../plain.ts'
import { instantOf } from '../../../texts/clock.ts'
import { settingTexts } from '../../../texts/office/things.ts'
import { menuTexts } from '../../../texts/screens/menu.ts'
import { guestPrices, shownWindow } from '../menu-data.ts'
import { MenuPages } from '../menu-pages.tsx'

const words = menuTexts.guests
const SHOWN = 200

/** What a guest pays at a venue, for a sale type, at an instant, and why. */
export function GuestPrices() {
  const [venue, setVenue] = useState<number>()
  const [saleType, setSaleType] = useState<number>()
  const [at, setAt] = useState('')
  const [search, setSearch] = useState('')
  const query = useQuery({
    ...guestPrices(venue, saleType, at === '' ? undefined : instantOf(at)),
    placeholderData: keepPreviousData,
  })
  return (
    <Page title={words.title} lead={words.lead}>
      <MenuPages />
      <Loaded query={query}>
        {({ places, venue_id, sale_type_id, lists, products }) => {
          const here = places.find(({ id }) => id === venue_id)
          const sought = plain(search.trim())
          const found = products.filter(({ name }) => plain(name).includes(sought))
          const columns: Column<Shown['products'][number]>[] = [
            { name: menuTexts.products, wide: true, cell: ({ name }) => <strong>{name}</strong> },
            { name: words.pays, number: true, cell: ({ price }) => amount(price ?? undefined) ?? '–' },
            {
              name: words.why,
              cell: ({ open, list_id, window }) => {
                if (open) return menuTexts.openPrice
                const list = lists.find(({ id }) => id === list_id)
                if (!list) return menuTexts.prices.own
                return (
                  <Link to="/menu/price-lists/$list" params={{ list: String(list.id) }}>
                    {menuTexts.prices.byList(list.name, window ? shownWindow(window) : '')}
                  </Link>
                )
              },
            },
            { name: menuTexts.prices.ownPrice, number: true, cell: ({ own }) => amount(own ?? undefined) ?? '–' },
          ]
          return (
            <>
              <div className="menu-bar">
                <TextInput
                  type="search"
                  label={settingTexts.search}
                  value={search}
                  onChange={({ currentTarget }) => setSearch(currentTarget.value)}
                />
                <NativeSelect
                  label={menuTexts.scopes.venue}
                  data={places.map(({ id, name }) => ({ value: String(id), label: name }))}
                  value={String(venue_id)}
                  onChange={({ currentTarget }) => {
                    setVenue(Number(currentTarget.value))
                    setSaleType(undefined)
                  }}
                />
                <NativeSelect
                  label={menuTexts.scopes.saleType}
                  data={(here?.sale_types ?? []).map(({ id, name }) => ({ value: String(id), label: name }))}
                  value={String(sale_type_id ?? '')}
                  onChange={({ currentTarget }) => setSaleType(Number(currentTarget.value))}
                />
                <TextInput
                  type="datetime-local"
                  label={words.at}
                  value={at}
                  onChange={({ currentTarget }) => setAt(currentTarget.value)}
                />
              </div>
              <div className="guest-prices">
                <Rows caption={words.title} columns={columns} rows={found.slice(0, SHOWN)} keyOf={({ id }) => id} />
              </div>
              {found.length > SHOWN && <p className="quiet">{menuTexts.prices.narrow(SHOWN, found.length)}</p>}
            </>
          )
        }}
      </Loaded>
    </Page>
  )
}
