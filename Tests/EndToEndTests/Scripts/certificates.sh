#!/bin/bash
# Makes an authority and certificates for tests, all new, in the folder given: `sh certificates.sh FOLDER`.
#
#   ca.pem                 the authority
#   localhost.pem, .key    for localhost and 127.0.0.1
#   renewed.pem, .key      the same, of another key
#   other.pem, .key        for race.example
#   expired.pem, .key      for localhost, over since 2021
#   own.pem, .key          for localhost, signed by nobody but itself
#   locked.key             the key of localhost.pem behind a password
set -euo pipefail
cd "$1"

curve=(-newkey ec -pkeyopt ec_paramgen_curve:P-256 -nodes)
cat >ca.cnf <<END
[req]
distinguished_name = name
[name]
[ca]
default_ca = authority
[authority]
database = index.txt
serial = serial.txt
new_certs_dir = .
default_md = sha256
policy = policy
copy_extensions = copy
unique_subject = no
[policy]
commonName = supplied
END
: >index.txt
echo 01 >serial.txt

openssl req -config ca.cnf -x509 "${curve[@]}" -keyout ca.key -out ca.pem -days 2 -subj "/CN=Test Authority" \
    -addext basicConstraints=critical,CA:TRUE
openssl req -config ca.cnf -x509 "${curve[@]}" -keyout own.key -out own.pem -days 2 -subj "/CN=localhost" \
    -addext subjectAltName=DNS:localhost

sign() { # name, names it is for, from, to
    openssl req -config ca.cnf "${curve[@]}" -keyout "$1.key" -out "$1.csr" -subj "/CN=$1" -addext "subjectAltName=$2"
    openssl ca -batch -notext -config ca.cnf -cert ca.pem -keyfile ca.key -in "$1.csr" -out "$1.pem" \
        -startdate "$3" -enddate "$4"
}
sign localhost DNS:localhost,IP:127.0.0.1 20200101000000Z 20491231000000Z
sign renewed DNS:localhost,IP:127.0.0.1 20200101000000Z 20491231000000Z
sign other DNS:race.example 20200101000000Z 20491231000000Z
sign expired DNS:localhost 20200101000000Z 20210101000000Z
openssl pkey -in localhost.key -aes256 -passout pass:secret -out locked.key
