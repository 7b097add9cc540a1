"""What lies in a box: small values with the operations that a hand can do, for referee and toolbox alike."""
