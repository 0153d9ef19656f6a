import assert from 'node:assert/strict'
import { suite, test } from 'node:test'
import { loadConfig } from '../config.ts'
import { printTargets } from './addresses.ts'

const targets = (env: Record<string, string> = {}, demo?: string, ports: number[] = []) =>
  printTargets({ config: loadConfig(env), demo, ownPorts: () => ports })
const refused = (of: ReturnType<typeof targets>, address: string, port = 9100, brand = 'bistro') =>
  of.refusedBy(brand, address, port)

suite('where printers may be (R19)', () => {
  const everything = targets({
    COMPTOIR_PRINT_NETWORKS: '0.0.0.0/1,128.0.0.0/1,2000::/3,64::/16,fc00::/7,fe00::/7,fe80::/10',
    COMPTOIR_PRINT_PORTS: '1-65535',
  })
  const SPELLINGS: Record<string, string> = {
    'this network': '0.0.0.0',
    'this network, another': '0.1.2.3',
    'link-local': '169.254.169.254',
    multicast: '224.0.0.1',
    broadcast: '255.255.255.255',
    'a mapped address': '::ffff:192.168.1.50',
    'a mapped address in hexadecimal': '::ffff:c0a8:132',
    'a mapped address at length': '0:0:0:0:0:ffff:c0a8:0132',
    'a compatible address': '::192.168.1.50',
    'an unspecified address': '::',
    'a translated address': '::ffff:0:c0a8:132',
    'a NAT64 address': '64:ff9b::c0a8:132',
    'a local NAT64 address': '64:ff9b:1::c0a8:132',
    'a 6to4 address': '2002:c0a8:132::',
    'a Teredo address': '2001:0:c0a8:132::',
    'link-local of IPv6': 'fe80::1',
    'link-local with a zone': 'fe80::1%eth0',
    'an address with a zone': '2001:db8::1%eth0',
    'multicast of IPv6': 'ff02::1',
    'a site-local address': 'fec0::1',
    'a decimal address': '3232235826',
    'an octal address': '0300.0250.01.062',
    'a hexadecimal address': '0xc0.0xa8.0x1.0x32',
    'a short address': '192.168.306',
    'a full-width address': '１９２.１６８.１.５０',
    'a trailing dot': '192.168.1.50.',
    'spaces around it': ' 192.168.1.50',
    brackets: '[2001:db8::1]',
    'a name': 'printer.local',
    localhost: 'localhost',
    nothing: '',
  }
  for (const [name, address] of Object.entries(SPELLINGS))
    test(`${name} is refused whatever the operator allows`, async () =>
      assert.equal(await refused(everything, address), 'COMPTOIR_PRINT_NETWORKS'))

  test('the private ranges of IPv4 are allowed with the embedded database, and none with PostgreSQL', async () => {
    const embedded = targets()
    const hosted = targets({ DATABASE_URL: 'postgres://127.0.0.1:5432/x' })
    for (const address of ['10.0.0.9', '172.16.4.1', '192.168.1.50']) {
      assert.equal(await refused(embedded, address), undefined, address)
      assert.equal(await refused(hosted, address), 'COMPTOIR_PRINT_NETWORKS', address)
    }
    for (const address of ['8.8.8.8', '172.32.0.1', '127.0.0.1', '::1', '2001:db8::1', '100.64.0.1'])
      assert.equal(await refused(embedded, address), 'COMPTOIR_PRINT_NETWORKS', address)
  })

  test('a block can belong to one brand, and then nothing else holds', async () => {
    const named = targets({ COMPTOIR_PRINT_NETWORKS: 'bistro@10.1.0.0/16, 10.9.0.5, 2001:db8::/32' })
    assert.equal(await refused(named, '10.1.2.3'), undefined)
    assert.equal(await refused(named, '10.1.2.3', 9100, 'other'), 'COMPTOIR_PRINT_NETWORKS')
    assert.equal(await refused(named, '10.9.0.5', 9100, 'other'), undefined)
    assert.equal(await refused(named, '2001:db8::7'), undefined)
    assert.equal(await refused(named, '192.168.1.50'), 'COMPTOIR_PRINT_NETWORKS')
  })

  test('only the ports that are allowed, and never one of ours or of our stores', async () => {
    assert.equal(await refused(targets(), '10.0.0.9', 9110), 'COMPTOIR_PRINT_PORTS')
    assert.equal(await refused(targets({ COMPTOIR_PRINT_PORTS: '9100,515' }), '10.0.0.9', 515), undefined)
    const local = { COMPTOIR_PRINT_NETWORKS: '127.0.0.0/8,::1', COMPTOIR_PRINT_PORTS: '1-65535' }
    assert.equal(await refused(targets(local, undefined, [8080]), '127.0.0.1', 8080), 'COMPTOIR_PRINT_PORTS')
    assert.equal(await refused(targets(local, undefined, [8080]), '127.9.9.9', 8080), 'COMPTOIR_PRINT_PORTS')
    assert.equal(await refused(targets(local, undefined, [8080]), '::1', 8080), 'COMPTOIR_PRINT_PORTS')
    assert.equal(await refused(targets(local, undefined, [8080]), '127.0.0.1', 9100), undefined)
    assert.equal(await refused(targets({ ...local, PORT: '9105' }), '127.0.0.1', 9105), 'COMPTOIR_PRINT_PORTS')
    const stores = { DATABASE_URL: 'postgres://127.0.0.1/x', REDIS_URL: 'redis://127.0.0.1:6390' }
    for (const port of [5432, 6390])
      assert.equal(await refused(targets({ ...local, ...stores }), '127.0.0.1', port), 'COMPTOIR_PRINT_PORTS')
  })

  test('the demo on loopback prints on loopback, no other brand does', async () => {
    assert.equal(await refused(targets({}, 'demo'), '127.0.0.1', 9100, 'demo'), undefined)
    assert.equal(await refused(targets({}, 'demo'), '127.0.0.1'), 'COMPTOIR_PRINT_NETWORKS')
    const proxied = { HOST: '10.0.0.1', COMPTOIR_TRUSTED_PROXIES: '10.0.0.2' }
    assert.equal(await refused(targets(proxied, 'demo'), '127.0.0.1', 9100, 'demo'), 'COMPTOIR_PRINT_NETWORKS')
  })

  test('settings that are none are refused at the start', () => {
    for (const COMPTOIR_PRINT_NETWORKS of ['10.0.0.0/33', '@10.0.0.0/8', '0.0.0.0/0', 'printer'])
      assert.throws(() => loadConfig({ COMPTOIR_PRINT_NETWORKS }), /COMPTOIR_PRINT_NETWORKS/, COMPTOIR_PRINT_NETWORKS)
    for (const COMPTOIR_PRINT_PORTS of ['0', '9100-', '9109-9100', '70000', 'http'])
      assert.throws(() => loadConfig({ COMPTOIR_PRINT_PORTS }), /COMPTOIR_PRINT_PORTS/, COMPTOIR_PRINT_PORTS)
  })
})
