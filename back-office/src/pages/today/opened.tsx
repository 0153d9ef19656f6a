import { Button, Text, Title } from '@mantine/core'
import { useState } from 'react'
import { todayTexts } from '../../texts/office/today.ts'
import { forgetOpening, lastOpening } from './welcome.ts'

const words = todayTexts

/** After setup: with what one signs in from now on. */
export function Opened() {
  const [opening, setOpening] = useState(lastOpening)
  if (!opening) return null
  return (
    <section className="card panel">
      <Title order={2} size="h4">
        {words.opened}
      </Title>
      <Text size="sm" className="quiet" mb="sm">
        {words.openedLead}
      </Text>
      <dl className="today-opened">
        <dt>{words.openedRestaurant}</dt>
        <dd>{opening.brand}</dd>
        <dt>{words.openedUser}</dt>
        <dd>{opening.username}</dd>
      </dl>
      <Button
        variant="default"
        size="xs"
        mt="md"
        onClick={() => {
          forgetOpening()
          setOpening(undefined)
        }}
      >
        {words.openedClose}
      </Button>
    </section>
  )
}
