import { ActionIcon, Alert, Button, Checkbox, NativeSelect, Switch, Text, TextInput } from '@mantine/core'
import { IconPlus, IconTrash } from '@tabler/icons-react'
import { ExactInput } from '../../components/fields.tsx'
import { nameOfLanguage } from '../../texts/language.ts'
import { setupTexts } from '../../texts/office/setup.ts'
import { LOCALE } from '../../texts/texts.ts'
import { type Country, type DraftTax, ELSEWHERE, proposals, slugIn, venueIn } from './draft.ts'
import type { StepProps } from './step.ts'

const words = setupTexts
const regions = new Intl.DisplayNames(LOCALE, { type: 'region' })
const currencies = new Intl.DisplayNames(LOCALE, { type: 'currency' })
const tongues = new Intl.DisplayNames(LOCALE, { type: 'language' })
const list = new Intl.ListFormat(LOCALE, { type: 'conjunction' })
const day = new Intl.DateTimeFormat(LOCALE, { dateStyle: 'long', timeZone: 'UTC' })
const here = Intl.DateTimeFormat().resolvedOptions().timeZone

/** Step 1: where the restaurant is, what it is called, and which taxes there are. */
export function PlaceStep({ draft, info, change, problem }: StepProps) {
  const country = info.countries.find(({ code }) => code === draft.country)
  const named = info.countries
    .map(({ code }) => ({ value: code, label: regions.of(code)! }))
    .sort((one, other) => one.label.localeCompare(other.label, LOCALE))
  return (
    <>
      <NativeSelect
        label={words.country}
        description={words.countryHint}
        data={[...named, { value: ELSEWHERE, label: words.elsewhere }]}
        value={draft.country}
        onChange={({ currentTarget: { value } }) =>
          change(
            proposals(
              info.countries.find(({ code }) => code === value),
              here,
            ),
          )
        }
      />
      {country?.fiscal && <Alert color="yellow">{words.fiscal(regions.of(country.code)!)}</Alert>}
      <div className="setup-pair">
        <TextInput
          label={words.name}
          value={draft.name}
          onChange={({ currentTarget }) => change({ name: currentTarget.value })}
          error={problem('brand.name')}
          maxLength={255}
          autoComplete="organization"
          required
        />
        <TextInput
          label={words.venue}
          description={words.venueHint}
          inputWrapperOrder={['label', 'input', 'description', 'error']}
          value={venueIn(draft)}
          onChange={({ currentTarget }) => change({ venue: currentTarget.value })}
          error={problem('venue.name')}
          maxLength={255}
          required
        />
      </div>
      <TextInput
        label={`${words.address} (${words.optional})`}
        value={draft.address}
        onChange={({ currentTarget }) => change({ address: currentTarget.value })}
        error={problem('venue.address')}
        maxLength={500}
        autoComplete="street-address"
      />
      <div className="setup-pair">
        <TextInput
          label={`${words.legalName} (${words.optional})`}
          description={words.onBill}
          inputWrapperOrder={['label', 'input', 'description', 'error']}
          value={draft.legalName}
          onChange={({ currentTarget }) => change({ legalName: currentTarget.value })}
          error={problem('venue.legal_name')}
          maxLength={255}
        />
        <TextInput
          label={`${words.taxNumber} (${words.optional})`}
          description={words.onBill}
          inputWrapperOrder={['label', 'input', 'description', 'error']}
          value={draft.taxNumber}
          onChange={({ currentTarget }) => change({ taxNumber: currentTarget.value })}
          error={problem('venue.tax_number')}
          maxLength={64}
        />
      </div>
      <Taxes draft={draft} country={country} change={change} problem={problem} />
      <More draft={draft} info={info} country={country} change={change} problem={problem} />
    </>
  )
}

type PartProps = Omit<StepProps, 'info' | 'faults'> & { readonly country: Country | undefined }

function Taxes({ draft: { taxes, included }, country, change, problem }: PartProps) {
  const set = (key: number, part: Partial<DraftTax>) =>
    change({ taxes: taxes.map((tax) => (tax.key === key ? { ...tax, ...part } : tax)) })
  const key = Math.max(-1, ...taxes.map((tax) => tax.key)) + 1
  return (
    <fieldset className="setup-taxes">
      <legend>{words.taxes}</legend>
      <Text size="sm">
        {words.accountant}{' '}
        {country && country.checked !== 'unverified'
          ? words.checked(day.format(new Date(country.checked)))
          : words.unverified}
      </Text>
      {taxes.length === 0 && <Text size="sm">{words.noTaxes}</Text>}
      {taxes.map((tax, index) => (
        <div key={tax.key} className="setup-tax">
          <TextInput
            label={words.taxName}
            value={tax.name}
            onChange={({ currentTarget }) => set(tax.key, { name: currentTarget.value })}
            error={problem(`taxes[${index}].name`)}
            maxLength={255}
            required
          />
          <TextInput
            label={words.rate}
            value={tax.rate}
            onChange={({ currentTarget }) => set(tax.key, { rate: currentTarget.value })}
            error={problem(`taxes[${index}].rate`)}
            inputMode="decimal"
            pattern="\s*\d{1,3}([.,]\d{1,4})?\s*"
            autoComplete="off"
            required
          />
          <ActionIcon
            variant="subtle"
            color="gray"
            size={36}
            aria-label={words.removeTax(tax.name)}
            onClick={() => change({ taxes: taxes.filter((other) => other !== tax) })}
          >
            <IconTrash size={18} />
          </ActionIcon>
          <p>{whatOf(tax)}</p>
        </div>
      ))}
      <Button
        variant="default"
        size="xs"
        leftSection={<IconPlus size={14} />}
        style={{ justifySelf: 'start' }}
        onClick={() => change({ taxes: [...taxes, { key, name: words.newTax, rate: '' }] })}
      >
        {words.addTax}
      </Button>
      <Switch
        label={words.included}
        checked={included}
        onChange={({ currentTarget }) => change({ included: currentTarget.checked })}
      />
    </fieldset>
  )
}

const whatOf = ({ goods, channels = [] }: DraftTax) =>
  words.taxOn(
    goods ? list.format(goods.map((each) => words.goods[each])) : words.everything,
    list.format(channels.map((each) => words.channels[each])),
  )

/** What is rarely changed; closed, it says what it is. */
function More({ draft, info, country, change, problem }: PartProps & Pick<StepProps, 'info'>) {
  const [main = 'en', ...others] = draft.languages
  const further = [...new Set([...(country?.languages ?? []), ...others])].filter((tag) => tag !== main)
  const isRefused = ['brand.currency', 'brand.slug', 'brand.languages', 'venue.time_zone'].some(problem)
  const summary = [
    currencies.of(draft.currency),
    draft.zone,
    list.format(draft.languages.map((tag) => tongues.of(tag)!)),
  ]
  return (
    <details className="setup-more" open={isRefused || draft.country === ELSEWHERE || undefined}>
      <summary>
        {words.more}
        <span>{[...summary, ...(info.brand ? [] : [slugIn(draft)])].filter(Boolean).join(' · ')}</span>
      </summary>
      <div>
        <div className="setup-pair">
          <NativeSelect
            label={words.currency}
            data={Intl.supportedValuesOf('currency').map((code) => ({
              value: code,
              label: `${code} · ${currencies.of(code)}`,
            }))}
            value={draft.currency}
            onChange={({ currentTarget }) => change({ currency: currentTarget.value })}
            error={problem('brand.currency')}
          />
          <NativeSelect
            label={words.places}
            data={['0', '1', '2', '3', '4']}
            value={String(draft.places)}
            onChange={({ currentTarget }) => change({ places: Number(currentTarget.value) })}
            error={problem('brand.money_places')}
          />
        </div>
        <NativeSelect
          label={words.zone}
          value={draft.zone}
          onChange={({ currentTarget }) => change({ zone: currentTarget.value })}
          error={problem('venue.time_zone')}
          data={zonesFor(country, draft.zone)}
        />
        <div className="setup-pair">
          <NativeSelect
            label={words.mainLanguage}
            value={main}
            onChange={({ currentTarget: { value } }) => {
              change({ languages: [value, ...others.filter((tag) => tag !== value)] })
            }}
            error={problem('brand.languages')}
            data={tagsFor(country, main).map((tag) => ({ value: tag, label: tongues.of(tag)! }))}
          />
          {further.length > 0 && (
            <Checkbox.Group
              label={words.otherLanguages}
              value={others}
              onChange={(chosen) => change({ languages: [main, ...chosen] })}
            >
              {further.map((tag) => (
                <Checkbox key={tag} value={tag} label={nameOfLanguage(tag)} mt={6} />
              ))}
            </Checkbox.Group>
          )}
        </div>
        {!info.brand && (
          <ExactInput
            label={words.slug}
            description={words.slugHint}
            value={slugIn(draft)}
            onChange={({ currentTarget }) => change({ slug: currentTarget.value })}
            error={problem('brand.slug')}
            pattern="[a-z0-9]([a-z0-9\-]{0,61}[a-z0-9])?"
            maxLength={63}
          />
        )}
      </div>
    </details>
  )
}

function zonesFor(country: Country | undefined, chosen: string) {
  const own = country?.time_zones ?? []
  const others = [...new Set([...Intl.supportedValuesOf('timeZone'), 'UTC', chosen])].filter(
    (name) => !own.includes(name),
  )
  const all = { group: words.otherZones, items: others.sort() }
  return country ? [{ group: regions.of(country.code)!, items: [...own] }, all] : [all]
}

/** The languages of the country, then those that menus are often written in. */
const tagsFor = (country: Country | undefined, chosen: string) => [
  ...new Set([chosen, ...(country?.languages ?? []), ...OFTEN]),
]
const OFTEN = ['en', 'fr', 'de', 'es', 'it', 'pt', 'nl', 'pl', 'ru', 'tr', 'az', 'uk', 'ar', 'zh', 'ja']
