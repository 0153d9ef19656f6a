import { randomInt } from 'node:crypto'
import { pngOf } from '../../../server/test/database/pictures.ts'
import type { Route } from '../in-process.ts'
import { DISH } from '../openapi.ts'
import { API } from './back-office.ts'
import { dataOf, type OwnRequest, type Preparing, sent } from './preparing.ts'

/** What staff do with the menu and with the brand, about the dish that is there. */
export async function menuRequest({ method, url }: Route, { ask, note }: Preparing): Promise<OwnRequest> {
  const path = url.slice(API.length)
  const name = note ?? `Dish ${randomInt(1_000)}`
  const ofDish = url.replace(':kind', 'product').replace(':id', String(DISH))
  switch (`${method} ${path}`) {
    case 'GET /menu':
    case 'GET /menu/problems':
      return { url: `${url}?sale_type_id=1`, body: undefined }
    case 'GET /menu-entries/:id':
    case 'PUT /menu-entries/:id':
      return { url: url.replace(':id', `product-${DISH}`), body: { translations: { en: { name } } } }
    case 'POST /images':
      return { url, body: pngOf(randomInt(256), 16, randomInt(16, 64)) }
    case 'POST /menu-import/plan':
      return { url, body: sheetOf(name) }
    case 'POST /menu-import/apply': {
      const { plan } = dataOf<{ plan: string }>(await sent(ask, '/menu-import/plan', sheetOf(name)))
      return { url: `${url}?plan=${plan}`, body: sheetOf(name) }
    }
    case 'GET /menu-editor/products/:id/choices':
    case 'GET /menu-editor/products/:id/prices':
    case 'GET /menu-editor/history/:kind/:id':
      return { url: ofDish, body: undefined }
    case 'PUT /menu-editor/products/:id/choices':
      return { url: ofDish, body: { groups: [{ name, choices: [{ name }] }] } }
    case 'PUT /menu-editor/order':
      return { url, body: { products: [{ id: DISH, category_id: null, position: randomInt(1_000) }] } }
    case 'PUT /price-lists/:id/prices':
      return { url: url.replace(':id', '1'), body: { prices: [{ product_id: DISH, price: randomInt(1, 100) }] } }
    case 'PATCH /edit/brand':
      return { url, body: { contact_days: randomInt(30, 300) } }
    case 'POST /edit/tables/series':
      return { url, body: { name: `${name} `, from: 1, to: 2, values: { status: 1 } } }
  }
  return undefined
}

const sheetOf = (name: string) => `id,name\n${DISH},${name}\n`
