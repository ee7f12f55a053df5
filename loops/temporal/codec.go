package temporal

import (
	"crypto/aes"
	"crypto/cipher"
	"crypto/sha256"
	"errors"
	"fmt"

	common "go.temporal.io/api/common/v1"

	"go.temporal.io/sdk/converter"
	"go.temporal.io/sdk/temporal"
	"google.golang.org/protobuf/proto"
)

// KeyVariable names the environment variable whose value encrypts payloads. All workers and
// clients of a run need the same.
const KeyVariable = "WIKI_TEMPORAL_KEY"

// minKey is how long a key must be, in bytes.
const minKey = 16

// Converter returns what payloads are written with: compressed, and encrypted if there is
// a key.
func Converter(key string) (converter.DataConverter, error) {
	zlib := converter.NewZlibCodec(converter.ZlibCodecOptions{})
	if key == "" {
		return converter.NewCodecDataConverter(converter.GetDefaultDataConverter(), &sealer{}, zlib), nil
	}
	if len(key) < minKey {
		return nil, fmt.Errorf("%s has %d bytes; use at least %d random ones, as of 'openssl rand -hex 32'", KeyVariable, len(key), minKey)
	}
	c, err := newSealer(key)
	if err != nil {
		return nil, err
	}
	return converter.NewCodecDataConverter(converter.GetDefaultDataConverter(), c, zlib), nil
}

// failures returns what errors of activities are written with.
func failures(key string, dc converter.DataConverter) converter.FailureConverter {
	return temporal.NewDefaultFailureConverter(temporal.DefaultFailureConverterOptions{DataConverter: dc, EncodeCommonAttributes: key != ""})
}

// sealedEncoding marks a payload that is encrypted with AES-256-GCM.
const sealedEncoding = "binary/wiki-aes-gcm"

// sealer encrypts payloads; without a key it says what is missing to read them.
type sealer struct{ aead cipher.AEAD }

func newSealer(key string) (*sealer, error) {
	sum := sha256.Sum256([]byte(key))
	block, err := aes.NewCipher(sum[:])
	if err != nil {
		return nil, err
	}
	aead, err := cipher.NewGCMWithRandomNonce(block)
	return &sealer{aead}, err
}

// Encode implements converter.PayloadCodec.
func (s *sealer) Encode(all []*common.Payload) ([]*common.Payload, error) {
	if s.aead == nil {
		return all, nil
	}
	out := make([]*common.Payload, len(all))
	for i, p := range all {
		plain, err := proto.Marshal(p)
		if err != nil {
			return nil, err
		}
		out[i] = &common.Payload{Metadata: map[string][]byte{converter.MetadataEncoding: []byte(sealedEncoding)}, Data: s.aead.Seal(nil, nil, plain, nil)}
	}
	return out, nil
}

// Decode implements converter.PayloadCodec. What was written without a key is read too.
func (s *sealer) Decode(all []*common.Payload) ([]*common.Payload, error) {
	out := make([]*common.Payload, len(all))
	for i, p := range all {
		if string(p.Metadata[converter.MetadataEncoding]) != sealedEncoding {
			out[i] = p
			continue
		}
		if s.aead == nil {
			return nil, errors.New("payloads are encrypted; set " + KeyVariable + " as the workers have it")
		}
		plain, err := s.aead.Open(nil, nil, p.Data, nil)
		if err != nil {
			return nil, errors.New("a payload was encrypted with another key; set " + KeyVariable + " as the workers have it")
		}
		out[i] = &common.Payload{}
		if err := proto.Unmarshal(plain, out[i]); err != nil {
			return nil, err
		}
	}
	return out, nil
}
