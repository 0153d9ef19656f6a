import { Stack, Text, Title } from '@mantine/core'
import { useSuspenseQuery } from '@tanstack/react-query'
import { queries } from '../../api.ts'
import { CopyField } from '../../components/copy.tsx'
import { QrPicture } from '../../components/credentials/qr-picture.tsx'
import { Page } from '../../components/layout/page.tsx'
import { texts } from '../../texts/texts.ts'

/** Where a new device begins: the page in plain HTTP that says how it comes to trust this machine. */
export function Connect() {
  const {
    data: { connect },
  } = useSuspenseQuery(queries.me)
  const own = texts.connect
  return (
    <Page title={own.title} lead={own.lead}>
      {connect ? (
        <Stack maw="34rem" gap="lg">
          <section className="card panel">
            <Stack>
              <Text>{own.scan}</Text>
              <QrPicture text={connect.page} label={own.picture} />
              <CopyField label={own.address} value={connect.page} />
            </Stack>
          </section>
          <section className="card panel">
            <Title order={2} size="h4" mb={6}>
              {own.compare}
            </Title>
            <Text size="sm" className="quiet" mb="md">
              {own.compareLead}
            </Text>
            <Stack>
              <CopyField label={own.authority} value={connect.authority} />
              <CopyField label={own.fingerprint} value={connect.fingerprint} />
            </Stack>
          </section>
        </Stack>
      ) : (
        <section className="card panel">
          <Title order={2} size="h4" mb={6}>
            {own.none}
          </Title>
          <Text className="quiet">{own.noneLead}</Text>
        </section>
      )}
    </Page>
  )
}
